import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../base/errors.ts'
import { isId } from '../base/ids.ts'
import { isStorableTime } from '../json/bounds.ts'
import { type PageRequest, type Paging, paging } from './paging.ts'

type OrderValue = string | number | Date | null
type OrderKind = 'time' | 'id' | 'number'

/** The order of a list: the columns that together name a row, with what they hold. */
export type ListOrder = {
  /** Kept in cursors, so that none is taken for another order. */
  name: string
  columns: Readonly<Record<string, OrderKind>>
  isAscending?: boolean
}

/** The page of a list that can also be read by cursors. `after` is the last row before the page. */
export type CursorPaging = Paging & { order?: ListOrder; after?: OrderValue[] }

/** Reads page, limit and cursor of a request. Throws a ValidationError for a cursor of another order. */
export function cursorPaging(
  { cursor, ...request }: PageRequest & { cursor?: string | undefined },
  order: ListOrder,
): CursorPaging {
  if (cursor === undefined) return { ...paging(request), order }
  if (request.page !== undefined) throw invalid('page', 'cannot be given with a cursor', 'cursor')
  return { ...paging(request), ...readCursor(cursor, order), order }
}

/** How many rows to read: one more than the page has tells whether another follows. */
export const rowsToRead = ({ limit, order }: CursorPaging): number => (order ? limit + 1 : limit)

/** The page out of the read rows, and the cursor of the next one if there is one. */
export function cutToPage<Row extends object>(rows: Row[], { limit, page, order }: CursorPaging) {
  const last = rows[limit - 1]
  const hasNext = order !== undefined && rows.length > limit
  return { rows: rows.slice(0, limit), nextCursor: hasNext && last ? writeCursor(last, order, page + 1) : undefined }
}

/**
 * The condition for the rows after a cursor, on columns of `table`. NULL is the lowest value. Each alternative is a range
 * of the index that holds the order, which the planner may read from its start instead.
 */
export function followsCursor({ order, after }: CursorPaging, table: string): RawBuilder<boolean> {
  if (!order || !after) return sql`true`
  const columns = Object.keys(order.columns).map(name => sql.ref(`${table}.${name}`))
  const alternatives = columns.flatMap((column, index) => {
    const equals = columns.slice(0, index).map((one, place) => isEqual(one, after[place] ?? null))
    const further = isFurther(column, after[index] ?? null, order.isAscending === true)
    return further ? sql`(${sql.join([...equals, further], sql` and `)})` : []
  })
  return sql`(${sql.join(alternatives, sql` or `)})`
}

const isEqual = (column: RawBuilder<unknown>, value: OrderValue) =>
  value === null ? sql`${column} is null` : sql`${column} = ${value}`

function isFurther(column: RawBuilder<unknown>, value: OrderValue, isAscending: boolean) {
  if (isAscending) return value === null ? sql`${column} is not null` : sql`${column} > ${value}`
  return value === null ? undefined : sql`(${column} < ${value} or ${column} is null)`
}

function writeCursor(row: object, { name, columns }: ListOrder, page: number): string {
  const values = Object.keys(columns).map(column => (row as Record<string, OrderValue>)[column])
  return Buffer.from(JSON.stringify([name, page, ...values])).toString('base64url')
}

function readCursor(cursor: string, { name, columns }: ListOrder): { page: number; after: OrderValue[] } {
  const refusal = () => invalid('cursor', 'is not a cursor of this list in this order', 'cursor')
  const kinds = Object.values(columns)
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw refusal()
  }
  if (!Array.isArray(parts)) throw refusal()
  const [cursorName, page, ...values] = parts as unknown[]
  const after = kinds.map((kind, index) => orderValue(kind, values[index]))
  if (cursorName !== name || !isPageNumber(page) || values.length !== kinds.length || !after.every(isPresent))
    throw refusal()
  return { page, after }
}

/** Pages are numbered in 32 bits. */
const maxPage = 2 ** 31 - 1
const isPageNumber = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < maxPage
const isPresent = (value: OrderValue | undefined): value is OrderValue => value !== undefined

/** A value out of a cursor; undefined for one of another kind. */
function orderValue(kind: OrderKind, value: unknown): OrderValue | undefined {
  if (value === null) return kind === 'time' ? null : undefined
  if (kind === 'number') return Number.isSafeInteger(value) ? Number(value) : undefined
  if (typeof value !== 'string') return undefined
  if (kind === 'id') return isId(value) ? value : undefined
  const time = new Date(value)
  return isStorableTime(time.getTime() / 1_000) ? time : undefined
}
