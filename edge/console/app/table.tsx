import type { ComponentChildren } from 'preact'
import { Table, type TableColumn } from '../../front/app/ui/table.tsx'

type DataTableProps<Row> = {
  label: string
  columns: TableColumn<Row>[]
  rows: Row[]
  keyOf?: (row: Row) => string
  /** What a row opens: something, or an address. */
  onRow?: (row: Row) => void
  href?: (row: Row) => string
  /** The rows that are selected with a checkbox. */
  selection?: Selection<Row>
  /** Shown instead of a table without rows. */
  empty?: ComponentChildren
}

/** Selected rows by id. */
type Selection<Row> = { ids: ReadonlySet<string>; nameOf: (row: Row) => string; select: (ids: Set<string>) => void }

/** A table that scrolls within itself, and whose rows may open. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, onRow, href, selection, empty } = props
  const keyOf = props.keyOf ?? ((row: Row) => String(rows.indexOf(row)))
  const openRow = onRow ?? (href && ((row: Row) => location.assign(href(row))))
  const [first, ...otherColumns] = columns
  if (!first || (rows.length === 0 && empty)) return <>{empty}</>
  const opener: TableColumn<Row> = {
    ...first,
    heading: selection && <MarkAll ids={rows.map(keyOf)} selection={selection} />,
    cell: row => (
      <div class="row">
        {selection && <RowMark id={keyOf(row)} row={row} selection={selection} />}
        {onRow ? (
          <button type="button" class="link" onClick={() => onRow(row)}>
            {first.cell(row)}
          </button>
        ) : (
          <a class="link" href={href?.(row)}>
            {first.cell(row)}
          </a>
        )}
      </div>
    ),
  }
  return (
    // biome-ignore lint: it scrolls, so that the keyboard has to reach it
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <Table
        label={label}
        columns={openRow ? [opener, ...otherColumns] : columns}
        rows={rows}
        keyOf={keyOf}
        rowProps={row => (openRow ? { class: 'opens', onClick: event => isOpening(event) && openRow(row) } : {})}
      />
    </div>
  )
}

/** Whether a click in a row opens it: not one on a control, or one that ends the selection of a text. */
const isOpening = ({ target }: { target: EventTarget | null }): boolean =>
  target instanceof Element && !target.closest('button, a, label, input') && getSelection()?.isCollapsed !== false

function MarkAll<Row>({ ids, selection }: { ids: string[]; selection: Selection<Row> }) {
  const isAll = ids.every(id => selection.ids.has(id))
  return (
    <input
      type="checkbox"
      aria-label="Select all"
      checked={isAll}
      onChange={() => selection.select(new Set(isAll ? [] : ids))}
    />
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
