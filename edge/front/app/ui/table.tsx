import type { ComponentChildren } from 'preact'

export type TableColumn<Row> = {
  name: string
  cell: (row: Row) => ComponentChildren
  /** Numbers are aligned to the end of their column. */
  isNumber?: boolean
}

/** A table. On a phone each row becomes a card whose cells have their column's name; the roles keep it a table. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  label: string
  columns: TableColumn<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string
}) {
  return (
    // biome-ignore lint: the role would be lost where the table is laid out as cards
    <table class="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, isNumber }) => (
            <th key={name} role="columnheader" scope="col" class={isNumber ? 'number' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(row => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ name, cell, isNumber }) => (
              <td key={name} role="cell" class={isNumber ? 'number' : undefined} data-name={name}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
