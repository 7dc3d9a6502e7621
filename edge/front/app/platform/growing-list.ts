import { useState } from 'preact/hooks'
import { useLoad } from './load.ts'

type Part<Row> = { data: Row[]; meta: { total: number; totalPages: number } | null }

export type NextPart = {
  hasMore: boolean
  isLoadingMore: boolean
  showMore: () => Promise<void>
}

type GrowingList<Row> = NextPart & {
  /** Undefined until the first part is loaded. */
  rows: Row[] | undefined
  /** Number of rows of all parts. */
  total: number
  error: unknown
  reload: () => Promise<void>
  /** Changes the rows in place, as `change` of `useLoad`. */
  change: (next: (rows: Row[]) => Row[]) => void
}

/** Number of loaded parts by the key of the list, for returning to it. */
const partCounts = new Map<string, number>()
export const shownPartCount = (key: string): number => partCounts.get(key) ?? 1

/** Loads the first parts of a list. Rows that move between parts meanwhile are listed once. */
export async function firstParts<Row extends { id: string }>(
  count: number,
  loadPart: (page: number) => Promise<Part<Row>>,
): Promise<{ rows: Row[]; total: number; hasMore: boolean }> {
  const parts = await Promise.all(Array.from({ length: count }, (_, index) => loadPart(index + 1)))
  const rows = new Map(parts.flatMap(({ data }) => data.map(row => [row.id, row] as const)))
  const { total = 0, totalPages = 0 } = parts[0]?.meta ?? {}
  return { rows: [...rows.values()], total, hasMore: totalPages > count }
}

/** Loads all rows of a list that rarely has a second part. */
export async function allRows<Row>(loadPart: (page: number) => Promise<Part<Row>>): Promise<Row[]> {
  const first = await loadPart(1)
  const otherParts = Array.from({ length: (first.meta?.totalPages ?? 1) - 1 }, (_, index) => loadPart(index + 2))
  return [first, ...(await Promise.all(otherParts))].flatMap(({ data }) => data)
}

/** Loads one more part of a list. */
export function useShowMore(key: string, reload: () => Promise<void>): Omit<NextPart, 'hasMore'> {
  const [isLoadingMore, setLoadingMore] = useState(false)
  return {
    isLoadingMore,
    async showMore() {
      if (isLoadingMore) return
      partCounts.set(key, shownPartCount(key) + 1)
      setLoadingMore(true)
      await reload()
      setLoadingMore(false)
    },
  }
}

/**
 * Loads a list part by part. The shown rows stay while more are loaded.
 * @param key names the list, as in `useLoad`
 * @param loadPart loads one part, a page of the route
 */
export function useGrowingList<Row extends { id: string }>(
  key: string,
  loadPart: (page: number, signal: AbortSignal) => Promise<Part<Row>>,
): GrowingList<Row> {
  const { value, error, reload, change } = useLoad(key, signal =>
    firstParts(shownPartCount(key), page => loadPart(page, signal)),
  )
  return {
    rows: value?.rows,
    total: value?.total ?? 0,
    hasMore: value?.hasMore ?? false,
    error,
    reload,
    change: next =>
      change(list => {
        const rows = next(list.rows)
        return { ...list, rows, total: list.total + rows.length - list.rows.length }
      }),
    ...useShowMore(key, reload),
  }
}
