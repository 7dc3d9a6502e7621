import { type Kysely, sql } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import { inBatches } from '../../kernel/database/batches.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import type { PageView, ViewRecorder } from '../context.ts'
import type { NewsTables, NewsTrx } from '../tables.ts'

/** `day` is the workspace's calendar day, YYYY-MM-DD. */
type QueuedView = { view: PageView; viewedAt: Date; day: string }

const batchSize = 200
/** Lanes never wait for each other, so that a locked page delays only the views of its own lane. */
const lanes = 4

/**
 * Records views. Views that arrive while their lane is writing share its next transaction: a page that everyone reads
 * at once costs one update, and still no view is answered before it is stored.
 */
export function viewRecorder(db: Kysely<NewsTables>): ViewRecorder {
  const write = inBatches((batch: QueuedView[]) => inTransaction(db, trx => store(trx, batch)), {
    maxItems: batchSize,
    // No single view is refused, so what fails one fails all.
    splitsOn: () => false,
  })
  return {
    record(view) {
      const viewedAt = new Date()
      return write(laneOf(view.pageId), { view, viewedAt, day: dayIn(view.timeZone, viewedAt) })
    },
  }
}

/** Ids end in random digits. */
const laneOf = (pageId: string): number => Number.parseInt(pageId.slice(-1), 16) % lanes

/** @returns for each view the count of its page, this batch included */
async function store(trx: NewsTrx, batch: QueuedView[]): Promise<number[]> {
  const views = batch.map(one => one.view)
  await insertViews(trx, batch)
  await insertViewers(trx, views)
  await countDays(trx, batch)
  const totals = await countPages(trx, views)
  return views.map(({ pageId }) => totals.get(pageId) ?? 0)
}

const insertViews = (trx: NewsTrx, batch: QueuedView[]) =>
  trx
    .insertInto('page_views')
    .values(
      batch.map(({ view, viewedAt }) => ({
        id: newId(),
        workspace_id: view.workspaceId,
        page_id: view.pageId,
        member_id: view.memberId,
        user_agent: view.userAgent,
        created_at: viewedAt,
      })),
    )
    .execute()

async function insertViewers(trx: NewsTrx, views: PageView[]): Promise<void> {
  const viewers = uniqueViews(views, one => `${one.pageId} ${one.memberId}`)
  await trx
    .insertInto('page_viewers')
    .ignore()
    .values(viewers.map(one => ({ page_id: one.pageId, member_id: one.memberId, workspace_id: one.workspaceId })))
    .execute()
}

async function countDays(trx: NewsTrx, batch: QueuedView[]): Promise<void> {
  const days = countByKey(batch, ({ view, day }) => `${view.pageId} ${day}`)
  await trx
    .insertInto('page_days')
    .values(
      days.map(({ one, count }) => ({
        page_id: one.view.pageId,
        day: one.day,
        workspace_id: one.view.workspaceId,
        views: count,
      })),
    )
    .onDuplicateKeyUpdate({ views: sql`page_days.views + values(views)` })
    .execute()
}

/** Updates the counters of the pages. @returns the views of each page */
async function countPages(trx: NewsTrx, views: PageView[]): Promise<ReadonlyMap<string, number>> {
  const pages = countByKey(views, one => one.pageId)
  const caseBranches = sql.join(
    pages.map(({ one, count }) => sql`when ${one.pageId} then ${count}`),
    sql` `,
  )
  const ids = pages.map(({ one }) => one.pageId)
  const workspaces = uniqueViews(views, one => one.workspaceId).map(one => one.workspaceId)
  const allTenants = exempt(trx, 'a page that is deleted while it is read keeps the view, also for its restoration')
  await allTenants
    .updateTable('pages')
    .set({ view_count: sql`view_count + case id ${caseBranches} else 0 end` })
    .where('workspace_id', 'in', workspaces)
    .where('id', 'in', ids)
    .execute()
  const rows = await allTenants
    .selectFrom('pages')
    .select(['id', 'view_count'])
    .where('workspace_id', 'in', workspaces)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(row => [row.id, row.view_count]))
}

/** Sorted by key, so that all writers lock in the same order. */
function countByKey<One>(all: One[], keyOf: (one: One) => string): { one: One; count: number }[] {
  const groups = new Map<string, { one: One; count: number }>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.count++
    else groups.set(key, { one, count: 1 })
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

const uniqueViews = (views: PageView[], keyOf: (one: PageView) => string): PageView[] =>
  countByKey(views, keyOf).map(({ one }) => one)

const formats = new Map<string, Intl.DateTimeFormat>()

/** The current day in a time zone, YYYY-MM-DD. */
export function dayIn(timeZone: string, time: Date): string {
  let format = formats.get(timeZone)
  if (!format) {
    const options = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
    format = new Intl.DateTimeFormat('en-CA', { ...options, timeZone })
    formats.set(timeZone, format)
  }
  return format.format(time)
}
