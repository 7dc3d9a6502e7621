import { failpoint } from '../../kernel/base/failpoint.ts'
import { newId } from '../../kernel/base/ids.ts'
import { type Poller, startPoller } from '../../kernel/base/poller.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { MemberAudience, Recipient } from '../audience.ts'
import type { Context } from '../context.ts'
import { nextDigest, quietEnd } from '../digests/schedule.ts'
import {
  assignItems,
  type DigestRow,
  deleteDigests,
  deleteOldItems,
  deleteReadItems,
  loadNextDue,
  loadWaitingItems,
  lockDueDigests,
  setNextDue,
} from '../digests/sql.ts'
import { isQuiet, type Preferences } from '../settings/preference-rules.ts'
import { readPreferences } from '../settings/preferences.sql.ts'
import { defaultPreferences, zoneOf } from '../settings/preferences.ts'
import type { NotificationTrx } from '../tables.ts'
import type { Deliveries } from './deliveries.ts'
import { insertDeliveries } from './sql.ts'

type Digests = Pick<Poller, 'stop'>

type Parts = Omit<Context, 'bus'> & { deliveries: Pick<Deliveries, 'wake'>; log: Log }

const pollMs = 1_000
const batch = 50
const hourMs = 3_600_000
/** Longer than two weekly digests and their pauses. */
const maxItemAgeMs = 60 * 24 * hourMs

/**
 * Turns the waiting notifications of due digests into deliveries, which the mail worker sends and retries. A digest,
 * its items and the time of the next one change in one transaction, so that a killed process leaves all of it or
 * nothing.
 */
export function startDigests(parts: Parts): Digests {
  const { db, clock, deliveries, log } = parts
  const failed = (err: unknown) => log.warn({ err }, 'digests not processed; retrying')
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
    failed,
  })
  const cleanup = repeatEvery(hourMs, () => deleteOldItems(db, new Date(clock.now().getTime() - maxItemAgeMs)), failed)
  return {
    async stop() {
      await poller.stop()
      await cleanup.stop()
    },
  }
}

async function processDueDigests(
  { audience, clock }: Parts,
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
  const sendingMemberIds = plans.filter(({ isSent }) => isSent).map(({ id }) => id)
  const queuedCount = await queueDigests(trx, audience, sendingMemberIds)
  for (const [dueAt, group] of Map.groupBy(plans, plan => plan.dueAt))
    if (dueAt !== 'never')
      await setNextDue(
        trx,
        group.map(({ id }) => id),
        dueAt,
      )
  failpoint('digests-queueing')
  return { handledCount: rows.length, queuedCount }
}

type Plan = { id: string; isSent: boolean; dueAt: Date | null | 'never' }

/** Whether a member's digest is sent now, and when the next one is due. */
function planOf(row: DigestRow, person: Recipient | undefined, preferences: Preferences, now: Date): Plan {
  const { member_id: id, frequency } = row
  if (!person) return { id, isSent: false, dueAt: 'never' }
  const { dndUntil, quietHours } = preferences
  const regularTime = nextDigest(frequency === 'off' ? 'daily' : frequency, zoneOf(person, preferences), now)
  // Neither state ends at a known time.
  if (!person.isActive || preferences.isGlobalSilent) return { id, isSent: false, dueAt: regularTime }
  // At the regular time at the latest: do-not-disturb may end early.
  if (preferences.doNotDisturb && dndUntil && dndUntil > now)
    return { id, isSent: false, dueAt: dndUntil < regularTime ? dndUntil : regularTime }
  if (quietHours && isQuiet(quietHours, now)) return { id, isSent: false, dueAt: quietEnd(quietHours, now) }
  return { id, isSent: true, dueAt: frequency === 'off' ? null : regularTime }
}

/** Queues a mail for each member with something unread in a present workspace. @returns the number of mails */
async function queueDigests(
  trx: NotificationTrx,
  audience: MemberAudience,
  memberIds: readonly string[],
): Promise<number> {
  if (memberIds.length === 0) return 0
  await deleteReadItems(trx, memberIds)
  const workspacesByMember = await audience.workspacesOf(memberIds)
  const visibleItems = (await loadWaitingItems(trx, memberIds)).filter(
    ({ member_id, workspace_id }) => workspace_id === '' || workspacesByMember.get(member_id)?.has(workspace_id),
  )
  const deliveries = [...new Set(visibleItems.map(row => row.member_id))].map(memberId => ({
    id: newId(),
    notification_id: null,
    workspace_id: '',
    member_id: memberId,
    lane: 'email' as const,
    subscription_id: null,
    sealed_mail: null,
    idempotency_key: null,
  }))
  for (const { id, member_id } of deliveries) await assignItems(trx, member_id, id)
  await insertDeliveries(trx, deliveries)
  return deliveries.length
}
