import { isUnavailable } from '../../kernel/base/database-errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { type Poller, startPoller } from '../../kernel/base/poller.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { MemberAudience, Recipient } from '../audience.ts'
import type { Context } from '../context.ts'
import type { NewsPeriod, NewsReader, UnreadNews } from '../digests/news.ts'
import { defaultSchedule, listsNews, nextDigest, periodStart, quietEnd } from '../digests/schedule.ts'
import {
  assignItems,
  type DigestRow,
  deleteDigests,
  deleteOldItems,
  deleteReadItems,
  enrolMembers,
  loadNextDue,
  loadWaitingItems,
  lockDueDigests,
  scheduledMembers,
  setNewsSince,
  setNextDue,
} from '../digests/sql.ts'
import { isQuiet, type Preferences } from '../settings/preference-rules.ts'
import { readPreferences } from '../settings/preferences.sql.ts'
import { defaultPreferences, zoneOf } from '../settings/preferences.ts'
import type { NotificationTrx } from '../tables.ts'
import type { Deliveries } from './deliveries.ts'
import { insertDeliveries } from './sql.ts'

type Digests = Pick<Poller, 'stop'> & {
  /** Schedules the digests of members who have chosen nothing. */
  enrol(): Promise<void>
}

type Parts = Omit<Context, 'bus'> & {
  deliveries: Pick<Deliveries, 'wake'>
  readNews: NewsReader
  log: Log
  pollMs: number
}

const batch = 50
const minuteMs = 60_000
const hourMs = 3_600_000
/** Members enrolled at once. */
const enrolBatch = 1_000
/** Longer than two weekly digests and their pauses. */
const maxItemAgeMs = 60 * 24 * hourMs

/**
 * Turns the waiting notifications of due digests into deliveries, which the mail worker sends and retries. A digest,
 * its items and the time of the next one change in one transaction, so that a killed process leaves all of it or
 * nothing.
 */
export function startDigests(parts: Parts): Digests {
  const { db, clock, deliveries, log, pollMs } = parts
  // At the first start the member database, which others report, is there a little later.
  const logFailure = (err: unknown) =>
    log[isUnavailable(err) ? 'info' : 'warn']({ err }, 'digests not processed; retrying')
  const poller = startPoller({
    everyMs: pollMs,
    idleMs: 20 * pollMs,
    async poll() {
      const dueAt = await loadNextDue(db)
      if (!dueAt) return undefined
      const untilDue = dueAt.getTime() - clock.now().getTime()
      if (untilDue > 0) return Math.min(5 * pollMs, untilDue)
      const { handledCount, queuedCount } = await inTransaction(db, trx => processDueDigests(parts, trx))
      failpoint('digests-queued')
      if (queuedCount > 0) deliveries.wake()
      return handledCount === 0 ? pollMs : 0
    },
    failed: logFailure,
  })
  const cleanup = repeatEvery(
    hourMs,
    () => deleteOldItems(db, new Date(clock.now().getTime() - maxItemAgeMs)),
    logFailure,
  )
  const enrolment = repeatEvery(hourMs, () => enrolEverybody(parts), logFailure)
  return {
    enrol: enrolment.run,
    async stop() {
      await poller.stop()
      await cleanup.stop()
      await enrolment.stop()
    },
  }
}

/** Members who joined since are found by the next run. */
async function enrolEverybody({ db, audience, clock }: Parts): Promise<void> {
  for (let after = ''; ; ) {
    const people = await audience.activePeople(after, enrolBatch)
    const scheduledIds = await scheduledMembers(
      db,
      people.map(({ id }) => id),
    )
    const now = clock.now()
    const schedules = people
      .filter(({ id }) => !scheduledIds.has(id))
      .map(person => ({
        memberId: person.id,
        dueAt: nextDigest(defaultSchedule, zoneOf(person, defaultPreferences), now),
      }))
    if (schedules.length > 0) await enrolMembers(db, schedules, now)
    const last = people.at(-1)
    if (!last || people.length < enrolBatch) return
    after = last.id
  }
}

async function processDueDigests(
  { audience, clock, readNews }: Parts,
  trx: NotificationTrx,
): Promise<{ handledCount: number; queuedCount: number }> {
  const now = clock.now()
  const rows = await lockDueDigests(trx, now, batch)
  if (rows.length === 0) return { handledCount: 0, queuedCount: 0 }
  const ids = rows.map(row => row.member_id)
  const people = await audience.people(ids)
  const preferences = await readPreferences(trx, ids)
  const plans = rows.map(row =>
    planOf(row, people.get(row.member_id), preferences.get(row.member_id) ?? defaultPreferences, now),
  )
  for (const { id, dueAt } of plans) if (dueAt === 'never') await deleteDigests(trx, id)
  const periods = plans.flatMap(({ period }) => period ?? [])
  const unreadNews = await readNews(periods)
  const queuedIds = await queueDigests(trx, audience, plans, unreadNews)
  const listingIds = unreadNews ? periods.map(({ memberId }) => memberId) : []
  await setNewsSince(trx, listingIds, newsUntil(now))
  // While the news service is away, a digest without anything else waits.
  const isPostponed = ({ id, period }: Plan) => period !== undefined && !unreadNews && !queuedIds.has(id)
  const nextTime = (plan: Plan) => (isPostponed(plan) ? new Date(now.getTime() + minuteMs) : plan.dueAt)
  for (const [dueAt, group] of Map.groupBy(plans, nextTime))
    if (dueAt !== 'never')
      await setNextDue(
        trx,
        group.map(({ id }) => id),
        dueAt,
      )
  failpoint('digests-queueing')
  return { handledCount: rows.length, queuedCount: queuedIds.size }
}

/** A page is listed once it has been public for a minute: the clock and commits of the news service may lag. */
const newsUntil = (now: Date): Date => new Date(now.getTime() - minuteMs)

type Plan = {
  id: string
  /** Whether what was collected is sent now. */
  isSent: boolean
  /** Of the pages that are listed now, if any are. */
  period?: NewsPeriod | undefined
  /** When the next digest is due. */
  dueAt: Date | null | 'never'
}

/** Whether a member's digest is sent now, and when the next one is due. */
function planOf(row: DigestRow, person: Recipient | undefined, preferences: Preferences, now: Date): Plan {
  const { member_id: id, frequency } = row
  if (!person) return { id, isSent: false, dueAt: 'never' }
  const { dndUntil, quietHours } = preferences
  const schedule = {
    frequency: frequency === 'off' ? ('daily' as const) : frequency,
    hour: row.digest_hour,
    weekday: row.digest_weekday,
  }
  const regularTime = nextDigest(schedule, zoneOf(person, preferences), now)
  // Neither state ends at a known time.
  if (!person.isActive || preferences.isGlobalSilent) return { id, isSent: false, dueAt: regularTime }
  // At the regular time at the latest: do-not-disturb may end early.
  if (preferences.doNotDisturb && dndUntil && dndUntil > now)
    return { id, isSent: false, dueAt: dndUntil < regularTime ? dndUntil : regularTime }
  if (quietHours && isQuiet(quietHours, now)) return { id, isSent: false, dueAt: quietEnd(quietHours, now) }
  const period = periodOf(row, person, now)
  return { id, isSent: true, period, dueAt: frequency === 'off' ? null : regularTime }
}

/** The pages since the last digest; of somebody without a choice, since they were last here. */
function periodOf(row: DigestRow, { seenAt }: Recipient, now: Date): NewsPeriod | undefined {
  const { member_id: memberId, frequency, news_since } = row
  if (!listsNews(frequency, seenAt, now)) return undefined
  const start = news_since ?? periodStart(frequency, now)
  const since = frequency === 'automatic' && seenAt !== null && seenAt > start ? seenAt : start
  return { memberId, since, until: newsUntil(now) }
}

/**
 * Queues a mail for each member with unread pages, or something unread and collected in a present workspace.
 * @returns the members
 */
async function queueDigests(
  trx: NotificationTrx,
  audience: MemberAudience,
  plans: readonly Plan[],
  unreadNews: ReadonlyMap<string, UnreadNews> | undefined,
): Promise<ReadonlySet<string>> {
  const sendingPlans = plans.filter(({ isSent }) => isSent)
  const memberIds = sendingPlans.map(({ id }) => id)
  if (memberIds.length === 0) return new Set()
  await deleteReadItems(trx, memberIds)
  const workspacesByMember = await audience.workspacesOf(memberIds)
  const visibleItems = (await loadWaitingItems(trx, memberIds)).filter(
    ({ member_id, workspace_id }) => workspace_id === '' || workspacesByMember.get(member_id)?.has(workspace_id),
  )
  const collectingIds = new Set(visibleItems.map(row => row.member_id))
  const deliveries = sendingPlans
    .filter(({ id }) => collectingIds.has(id) || unreadNews?.has(id))
    .map(({ id: memberId, period }) => ({
      id: newId(),
      notification_id: null,
      workspace_id: '',
      member_id: memberId,
      lane: 'email' as const,
      subscription_id: null,
      sealed_mail: null,
      idempotency_key: null,
      ...(period && unreadNews?.has(memberId) && { news_since: period.since, news_until: period.until }),
    }))
  for (const { id, member_id } of deliveries) if (collectingIds.has(member_id)) await assignItems(trx, member_id, id)
  await insertDeliveries(trx, deliveries)
  return new Set(deliveries.map(({ member_id }) => member_id))
}
