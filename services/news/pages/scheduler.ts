import { type Kysely, sql } from 'kysely'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { fullName } from '../../kernel/base/text.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { MemberDirectory, Workspace } from '../members.ts'
import type { NewsTables, PageRow } from '../tables.ts'
import { type AskedServices, mayPublish } from './schedule-right.ts'
import { changePage, publish, unscheduledColumns } from './status.ts'

type Scheduler = {
  /** Publishes what is due now, now and every minute. */
  start(): void
  /** Publishes what is due now. @returns the number of published pages */
  run(): Promise<number>
  stop(): Promise<void>
}

type Parts = AskedServices & { db: Kysely<NewsTables>; members: MemberDirectory; log: Log }

const everyMs = 60_000
const batch = 100
/** Pages published in parallel, so that many of the same minute aren't late. */
const parallelPages = 4
/** A failed page is retried after 1, 2, 4 … minutes, at most an hour. */
const longestPauseMinutes = 60

const anyTenant = 'the scheduler works for all tenants'

/**
 * Publishes due drafts by the database's clock. Any number of replicas may run: each locks the pages it publishes and
 * skips locked ones. A page of a closed workspace waits; one whose scheduler may no longer publish it stays a
 * draft without a time [D520].
 */
export function newScheduler(parts: Parts): Scheduler {
  const { db, members, log } = parts
  let publishing: Promise<number> | undefined
  let timer: NodeJS.Timeout | undefined

  const tryOne = async (page: DuePage): Promise<Outcome> => {
    try {
      const workspace = await members.workspace(page.workspace_id)
      if (workspace) {
        const outcome = await settleDue(parts, workspace, page, await mayPublish(parts, page))
        if (outcome === 'refused') log.info({ pageId: page.id }, 'scheduled page refused')
        return outcome
      }
      log.info({ pageId: page.id }, 'scheduled page of a closed workspace; postponed')
    } catch (error) {
      log.error({ pageId: page.id, err: error }, 'scheduled page not published; postponed')
    }
    return postpone(db, page).then(
      () => 'postponed',
      // Not read again in this pass.
      (error: unknown) => {
        log.error({ pageId: page.id, err: error }, 'scheduled page not postponed')
        return 'taken'
      },
    )
  }

  const publishDue = async (): Promise<number> => {
    for (let publishedCount = 0; ; ) {
      const duePageRows = await duePages(db)
      const outcomes: Outcome[] = []
      for (let start = 0; start < duePageRows.length; start += parallelPages)
        outcomes.push(...(await Promise.all(duePageRows.slice(start, start + parallelPages).map(tryOne))))
      publishedCount += outcomes.filter(outcome => outcome === 'published').length
      // Replicas hold the rest; polling for it again would only load the database.
      if (duePageRows.length < batch || outcomes.every(outcome => outcome === 'taken')) return publishedCount
    }
  }
  const run = () => (publishing ??= publishDue().finally(() => (publishing = undefined)))
  const startPass = () => {
    run().catch((error: unknown) => log.warn({ err: error }, 'due pages not read; retrying'))
  }
  return {
    start() {
      timer = setInterval(startPass, everyMs)
      startPass()
    },
    run,
    async stop() {
      clearInterval(timer)
      await publishing?.catch(() => {})
    },
  }
}

type Outcome = 'published' | 'refused' | 'taken' | 'postponed'

type DuePage = Pick<PageRow, 'id' | 'workspace_id' | 'created_by_id' | 'scheduled_by'>

const refusal = 'Scheduled by someone who may no longer publish it'

const now = sql<Date>`current_timestamp(3)`

const duePageQuery = (db: Kysely<NewsTables>) =>
  exempt(db, anyTenant)
    .selectFrom('pages')
    .where('status', '=', 'draft')
    .where('scheduled_at', '<=', now)
    .where('deleted_at', 'is', null)
    .where(eb => eb.or([eb('publish_retry_at', 'is', null), eb('publish_retry_at', '<=', now)]))

/** Due drafts, longest overdue first. */
export const duePages = (db: Kysely<NewsTables>): Promise<DuePage[]> =>
  duePageQuery(db)
    .select(['id', 'workspace_id', 'created_by_id', 'scheduled_by'])
    .orderBy('scheduled_at')
    .limit(batch)
    .execute()

/** Publishes or refuses a due page. Skips it when another replica or a person has published or rescheduled it. */
async function settleDue(
  { db, members }: Pick<Parts, 'db' | 'members'>,
  { workspaceId, name, ecosystemId }: Workspace,
  { id, scheduled_by }: DuePage,
  isAllowed: boolean,
): Promise<'published' | 'refused' | 'taken'> {
  const tenant = systemTenant(workspaceId, ecosystemId, 'publishes scheduled pages')
  const receiverIds = await members.audience(workspaceId)
  return inTransaction(db, async trx => {
    const page = await duePageQuery(trx)
      .selectAll()
      .select(now.as('now'))
      .where('id', '=', id)
      .where('scheduled_by', '<=>', scheduled_by)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!page) return 'taken'
    const { now: publishedAt, ...row } = page
    if (!isAllowed) {
      await changePage(trx, tenant, row, { ...unscheduledColumns, schedule_refusal: refusal }, row.updated_by_id)
      return 'refused'
    }
    const author = await members.author(row.created_by_id)
    const actor =
      author.firstName !== undefined
        ? { id: author.id, name: fullName(author.firstName, author.lastName), type: 'member' as const }
        : systemActor
    const about = { workspaceId, ecosystemId, workspaceName: name, actor, receiverIds }
    await publish(trx, tenant, row, { about, publishedAt, updatedById: row.updated_by_id })
    failpoint('page-published')
    return 'published'
  })
}

/** Postpones a failed page, longer each time. */
async function postpone(db: Kysely<NewsTables>, { id, workspace_id }: DuePage): Promise<void> {
  // MySQL refuses powers beyond a double.
  const minutes = sql`least(power(2, least(publish_failures, 10)), ${longestPauseMinutes})`
  await db
    .updateTable('pages')
    // MySQL assigns columns left to right: the pause uses the old failure count.
    .set({
      publish_retry_at: sql`current_timestamp(3) + interval ${minutes} minute`,
      publish_failures: sql`publish_failures + 1`,
    })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where('status', '=', 'draft')
    .where('deleted_at', 'is', null)
    .execute()
}
