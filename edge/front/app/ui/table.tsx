import type { ComponentChildren, HTMLAttributes } from 'preact'
import { useEffect } from 'preact/hooks'
import type { NextPart } from '../platform/load.ts'
import { changeQuery } from '../platform/router.tsx'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from './controls.tsx'

export type TableColumn<Row> = {
  name: string
  cell: (row: Row) => ComponentChildren
  /** Numbers are aligned to the end of their column. */
  isNumber?: boolean
  /** Wraps. */
  isWide?: boolean
  /** Left out on small screens. */
  isMinor?: boolean
  /** Before the name, in the head of the table. */
  heading?: ComponentChildren
}

type TableProps<Row> = {
  label: string
  columns: TableColumn<Row>[]
  rows: Row[]
  keyOf: (row: Row) => string
  rowProps?: (row: Row) => HTMLAttributes<HTMLTableRowElement>
}

/** A table. On a phone each row becomes a card whose cells have their column's name; the roles keep it a table. */
export function Table<Row>({ label, columns, rows, keyOf, rowProps }: TableProps<Row>) {
  return (
    // biome-ignore lint: the role would be lost where the table is laid out as cards
    <table class="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(column => (
            <th key={column.name} role="columnheader" scope="col" class={classOf(column)}>
              {column.heading}
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(row => (
          <tr key={keyOf(row)} role="row" {...rowProps?.(row)}>
            {columns.map(column => (
              <td key={column.name} role="cell" class={classOf(column)} data-name={column.name}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function classOf<Row>({ isNumber, isWide, isMinor }: TableColumn<Row>): string | undefined {
  return [isNumber && 'number', isWide && 'wide', isMinor && 'minor'].filter(Boolean).join(' ') || undefined
}

export type PageCounts = { page: number; totalPages: number; total: number } | null | undefined
type PagerProps = {
  meta: PageCounts
  /** Whether `meta` is an earlier answer. */
  isLoading?: boolean
  /** Of which list the pages are, where there are several. */
  label?: string
  /** After the number of the page. */
  note?: string
  onPage?: (page: number) => void
}

const openPage = (page: number): void => {
  changeQuery({ page: page > 1 ? String(page) : '' })
  scrollTo(0, 0)
}

/**
 * Turns the pages of a list, by default in the address; nothing for a single page. Leaves a page beyond the last one,
 * such as one whose rows were removed.
 */
export function Pager({ meta, isLoading = false, label, note, onPage = openPage }: PagerProps) {
  const t = useTexts('ui/pager')
  const lastPage = Math.max(1, meta?.totalPages ?? 1)
  const isBeyond = meta && !isLoading ? meta.page > lastPage : false
  useEffect(() => {
    if (isBeyond) onPage(lastPage)
  }, [isBeyond, lastPage])
  if (!meta || meta.totalPages < 2) return null
  const { page, totalPages } = meta
  return (
    <nav class="pager row loose soft" aria-label={label ?? t.pages}>
      <Button class="small" isDisabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        {t.previous}
      </Button>
      <span>
        {fill(t.of, { page, total: totalPages })}
        {note}
      </span>
      <Button class="small" isDisabled={page >= totalPages} onClick={() => page < totalPages && onPage(page + 1)}>
        {t.next}
      </Button>
    </nav>
  )
}

/** The button that loads more of a list; hidden once all rows are shown. */
export function ShowMore({ list: { hasMore, isLoadingMore, showMore } }: { list: NextPart }) {
  const t = useTexts('ui/pager')
  if (!hasMore) return null
  return (
    <p class="more">
      <Button isBusy={isLoadingMore} onClick={() => void showMore()}>
        {t.more}
      </Button>
    </p>
  )
}
