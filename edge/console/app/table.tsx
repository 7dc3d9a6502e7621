import type { ComponentChildren } from 'preact'

export type DataColumn<Row> = {
  head: string
  cell: (row: Row) => ComponentChildren
  isNumber?: boolean
  /** Wraps. */
  isWide?: boolean
  /** Left out on small screens. */
  isMinor?: boolean
}

type DataTableProps<Row> = {
  label: string
  columns: DataColumn<Row>[]
  rows: Row[]
  keyOf?: (row: Row) => string
  /** What a row opens: something, or an address. */
  onRow?: (row: Row) => void
  href?: (row: Row) => string
  /** The rows that are selected with a checkbox. */
  selection?: Selection<Row>
}

/** Selected rows by id. */
type Selection<Row> = { ids: ReadonlySet<string>; nameOf: (row: Row) => string; select: (ids: Set<string>) => void }

/** A table that scrolls within itself. On a phone each row becomes a card; the roles keep it a table. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, onRow, href, selection } = props
  const keyOf = props.keyOf ?? ((row: Row) => String(rows.indexOf(row)))
  const openRow = onRow ?? (href && ((row: Row) => location.assign(href(row))))
  const isAll = rows.length > 0 && rows.every(row => selection?.ids.has(keyOf(row)))
  return (
    // biome-ignore lint: it scrolls, so that the keyboard has to reach it
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      {/* biome-ignore lint: the role would be lost where the table is laid out as cards */}
      <table class="table" role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column, index) => (
              <th key={column.head} role="columnheader" scope="col" class={classOf(column)}>
                {index === 0 && selection && (
                  <input
                    type="checkbox"
                    aria-label="Select all"
                    checked={isAll}
                    onChange={() => selection.select(new Set(isAll ? [] : rows.map(keyOf)))}
                  />
                )}
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(row => (
            <tr
              key={keyOf(row)}
              role="row"
              class={openRow ? 'opens' : undefined}
              onClick={event => isOpening(event) && openRow?.(row)}
            >
              {columns.map((column, index) => (
                <td key={column.head} role="cell" class={classOf(column)} data-name={column.head}>
                  {index === 0 && openRow ? (
                    <div class="opener">
                      {selection && <RowMark id={keyOf(row)} row={row} selection={selection} />}
                      <Opener {...props} row={row} content={column.cell(row)} />
                    </div>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function classOf<Row>({ isNumber, isWide, isMinor }: DataColumn<Row>): string | undefined {
  return [isNumber && 'number', isWide && 'wide', isMinor && 'minor'].filter(Boolean).join(' ') || undefined
}

/** Whether a click in a row opens it: not one on a control, or one that ends the selection of a text. */
const isOpening = ({ target }: { target: EventTarget | null }): boolean =>
  target instanceof Element && !target.closest('button, a, label, input') && getSelection()?.isCollapsed !== false

/** The first cell of a row that opens: a link to its page, or a button. */
function Opener<Row>({ row, content, onRow, href }: DataTableProps<Row> & { row: Row; content: ComponentChildren }) {
  return onRow ? (
    <button type="button" class="link" onClick={() => onRow(row)}>
      {content}
    </button>
  ) : (
    <a class="link" href={href?.(row)}>
      {content}
    </a>
  )
}

function RowMark<Row>({ id, row, selection }: { id: string; row: Row; selection: Selection<Row> }) {
  const { ids, nameOf, select } = selection
  return (
    <input
      type="checkbox"
      aria-label={`Select ${nameOf(row)}`}
      checked={ids.has(id)}
      onChange={event => {
        const next = new Set(ids)
        if (event.currentTarget.checked) next.add(id)
        else next.delete(id)
        select(next)
      }}
    />
  )
}
