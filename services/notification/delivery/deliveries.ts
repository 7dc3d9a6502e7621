import type { Rights } from '../../kernel/access/rights.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { type Poller, startPoller } from '../../kernel/base/poller.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { withRenewal } from '../../kernel/database/lease.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { Context } from '../context.ts'
import type { NewsReader, UnreadNews } from '../digests/news.ts'
import { deleteItems, loadDigestItems, returnItems } from '../digests/sql.ts'
import type { MailLimit } from '../mails/limit.ts'
import { type MailJob, openMail } from '../mails/queued.ts'
import { failure, interruptedFailure, type Sender, tooMany } from '../providers/outcome.ts'
import type { PushJob } from '../providers/push.ts'
import type { DeliveryRow, Lane, PushLane } from '../tables.ts'
import { applyPresentPreferences, type Outcomes } from './present-preferences.ts'
import { type PendingReaders, settledReminders } from './readers.ts'
import { type DeliveryAttempt, isDigest } from './receivers.sql.ts'
import { withRightfulSenders } from './senders.ts'
import {
  claimDeliveries,
  collectMails,
  devicesById,
  hasWaited,
  loadNextDue,
  notificationsById,
  renewLease,
  settleDeliveries,
  unclaimDeliveries,
} from './sql.ts'

/** The workers that poll the lanes. */
export type Deliveries = Poller

export type DeliveryParts = Omit<Context, 'bus'> & {
  mails: Cipher
  rights: Pick<Rights, 'ofMember'>
  readNews: NewsReader
  pendingReaders: PendingReaders
  log: Log
  mailLimit: Pick<MailLimit, 'countJobs'>
  senders: Record<PushLane, Sender<PushJob>> & { email: Sender<MailJob> }
  /** Delay before each retry, in ms; the length is the number of retries. */
  retryDelays: readonly number[]
  /** Time between two polls while deliveries wait. */
  pollMs: number
}

const batch = 50
const minute = 60_000
/** Wakes and due times find all but what a killed process has left. */
const idleMs = 20_000
const noReceiver = 'The receiver, or the right of the sender, no longer exists'

/**
 * Sends pushes and mails with one worker per provider, so that a slow one delays no other. A delivery is leased while
 * it is tried: when the process dies, another one claims it within a minute.
 */
export function startDeliveries(parts: DeliveryParts, leaseMs = minute): Deliveries {
  const lanes = (Object.keys(parts.senders) as Lane[]).map(lane => startLane(parts, lane, leaseMs))
  return {
    wake() {
      for (const lane of lanes) lane.wake()
    },
    async stop() {
      await Promise.all(lanes.map(lane => lane.stop()))
    },
  }
}

function startLane(parts: DeliveryParts, lane: Lane, leaseMs: number): Poller {
  const { db, log, clock, pollMs } = parts
  return startPoller({
    everyMs: pollMs,
    idleMs,
    async poll() {
      // Usually nothing is due, and this single statement is cheaper than a claiming transaction.
      const dueAt = await loadNextDue(db, lane)
      if (!dueAt) return undefined
      const untilDue = dueAt.getTime() - clock.now().getTime()
      if (untilDue > 0) return Math.max(5, Math.min(pollMs, untilDue))
      const claimed = await claimDeliveries(db, lane, batch, leaseMs, clock.now())
      if (claimed.length === 0) return pollMs
      // Renewed meanwhile: how long sending takes depends on the provider and the settings.
      const attempts = await withRenewal(
        leaseMs,
        () => renewLease(db, claimed, new Date(clock.now().getTime() + leaseMs)),
        error => log.warn({ lane, err: error }, 'lease of deliveries not renewed; retrying'),
        () =>
          tryAll(parts, lane, claimed).catch(async error => {
            // Providers' failures are outcomes, so nothing was sent: an outage uses up no attempts.
            if (toRpcError(error).info.status === 503)
              await unclaimDeliveries(db, claimed, new Date(clock.now().getTime() + pollMs))
            throw error
          }),
      )
      await settleDeliveries(db, attempts, clock.now())
      return 0
    },
    failed: error => log.warn({ lane, err: error }, 'deliveries not processed; retrying'),
  })
}

async function tryAll(parts: DeliveryParts, lane: Lane, claimed: readonly DeliveryRow[]): Promise<DeliveryAttempt[]> {
  const { retryDelays, clock, log } = parts
  // Every attempt ended with its process, perhaps because of it: don't risk another one.
  const isSpent = (delivery: DeliveryRow) => delivery.attempts > retryDelays.length + 1
  const unspentDeliveries = claimed.filter(delivery => !isSpent(delivery))
  const unsentOutcomes = await applyPresentPreferences(parts, unspentDeliveries)
  const sendableDeliveries = unspentDeliveries.filter(delivery => !unsentOutcomes.has(delivery))
  const sentOutcomes =
    lane === 'email' ? await sendMails(parts, sendableDeliveries) : await sendPushes(parts, lane, sendableDeliveries)
  const outcomes: Outcomes = new Map([...unsentOutcomes, ...sentOutcomes])
  failpoint('deliveries-tried')
  // The same time for all: deliveries sent in one call are retried in one call.
  const now = clock.now().getTime()
  return claimed.flatMap((delivery): DeliveryAttempt[] => {
    if (isSpent(delivery)) return [{ delivery, outcome: interruptedFailure(lane), retryAt: null, isTry: false }]
    const outcome = outcomes.get(delivery) ?? failure(lane, noReceiver, { isFinal: true })
    if (outcome === 'waiting') return []
    if (!outcome.ok && outcome !== tooMany)
      log.warn({ lane, delivery: delivery.id, code: outcome.code }, 'delivery attempt failed')
    const delay = retryDelays[delivery.attempts - 1]
    const isOver = outcome.ok || outcome.isFinal || delay === undefined
    const retryAt = isOver ? null : new Date(now + Math.max(delay, outcome.retryAfterMs))
    return [{ delivery, outcome, retryAt, isTry: true }]
  })
}

/** Sends only to devices still registered and members still active. */
async function sendPushes(parts: DeliveryParts, lane: PushLane, claimed: readonly DeliveryRow[]): Promise<Outcomes> {
  const { notifications, activeReader } = await loadContents(parts, claimed)
  const deviceIds = claimed.flatMap(delivery => delivery.subscription_id ?? [])
  const devices = new Map((await devicesById(parts.db, deviceIds)).map(row => [row.id, row]))
  const jobs = claimed.flatMap(delivery => {
    const notification = notifications.get(delivery.notification_id ?? '')
    const device = devices.get(delivery.subscription_id ?? '')
    const person = activeReader(delivery)
    return notification && person && device?.member_id === person.id ? [{ delivery, notification, device, person }] : []
  })
  return send(parts.senders[lane], jobs, lane)
}

async function sendMails(parts: DeliveryParts, claimed: readonly DeliveryRow[]): Promise<Outcomes> {
  const { notifications, activeReader } = await loadContents(parts, claimed)
  const digests = await digestsOf(parts, claimed)
  const unreadNews = await newsOf(parts, claimed)
  const jobs = claimed.flatMap((delivery): MailJob[] => {
    if (isDigest({ delivery })) {
      if (delivery.news_since && !unreadNews) return []
      const person = activeReader(delivery)
      const news = unreadNews?.get(delivery.member_id ?? '') ?? noNews
      const notifications = person ? digests(delivery) : []
      const isEmpty = notifications.length + news.total === 0
      return person && !isEmpty ? [{ delivery, content: { digest: { person, notifications, news } } }] : []
    }
    if (delivery.sealed_mail !== null) {
      const mail = openMail(parts.mails, delivery.sealed_mail)
      return mail ? [{ delivery, content: { mail } }] : []
    }
    const notification = notifications.get(delivery.notification_id ?? '')
    const person = activeReader(delivery)
    return notification && person ? [{ delivery, content: { notification, person } }] : []
  })
  const dueAtByExcessJob = await parts.mailLimit.countJobs(jobs)
  const jobsWithinLimit = jobs.filter(job => !dueAtByExcessJob.has(job))
  const outcomes = new Map() as Outcomes
  // Tried again, rather than sent without its pages.
  for (const delivery of claimed)
    if (delivery.news_since && !unreadNews) outcomes.set(delivery, failure('email', 'The pages could not be read'))
  for (const [dueAt, group] of Map.groupBy(dueAtByExcessJob.keys(), job => dueAtByExcessJob.get(job))) {
    const collectedDeliveries = group.flatMap(({ delivery, content }) => ('notification' in content ? [delivery] : []))
    if (dueAt && collectedDeliveries.length > 0) await collectMails(parts.db, collectedDeliveries, dueAt)
    for (const { delivery } of group)
      outcomes.set(delivery, collectedDeliveries.includes(delivery) ? 'waiting' : tooMany)
  }
  return new Map([...outcomes, ...(await send(parts.senders.email, jobsWithinLimit, 'email'))])
}

type ContentSources = Pick<DeliveryParts, 'db' | 'audience' | 'rights' | 'pendingReaders'>

/**
 * The notifications of digests, without those whose senders may no longer send them. Those of workspaces that the
 * member can't see now wait for the next digest, so that what is settled is what the mail holds [D436].
 */
async function digestsOf({ db, audience, rights }: ContentSources, claimed: readonly DeliveryRow[]) {
  const digests = claimed.filter(delivery => isDigest({ delivery }))
  const items = await loadDigestItems(
    db,
    digests.map(({ id }) => id),
  )
  const rows = await withRightfulSenders(rights, items)
  await deleteItems(
    db,
    items.filter(item => !rows.includes(item)),
  )
  const workspacesByMember = await audience.workspacesOf(digests.flatMap(({ member_id }) => member_id ?? []))
  const isVisible = ({ member_id, workspace_id }: (typeof rows)[number]) =>
    workspace_id === '' || workspacesByMember.get(member_id)?.has(workspace_id) === true
  const hiddenRows = rows.filter(row => !isVisible(row))
  for (const [memberId, items] of Map.groupBy(hiddenRows, row => row.member_id))
    await returnItems(
      db,
      memberId,
      items.map(item => item.notification_id),
    )
  return ({ id }: DeliveryRow) => rows.filter(row => row.delivery_id === id && isVisible(row))
}

const noNews: UnreadNews = { pages: [], total: 0 }

/** The pages that digests list, as they are now; undefined while the news service is away. */
const newsOf = ({ readNews }: Pick<DeliveryParts, 'readNews'>, claimed: readonly DeliveryRow[]) =>
  readNews(
    claimed.flatMap(({ member_id: memberId, news_since: since, news_until: until }) =>
      memberId && since && until ? [{ memberId, since, until }] : [],
    ),
  )

async function loadContents({ db, audience, rights, pendingReaders }: ContentSources, claimed: readonly DeliveryRow[]) {
  const ids = (deliveries: readonly DeliveryRow[]) => [
    ...new Set(deliveries.flatMap(delivery => delivery.notification_id ?? [])),
  ]
  const rows = await notificationsById(db, ids(claimed))
  // What was removed after the claim isn't sent.
  const sendableRows = rows.filter(row => row.withdrawn_at === null)
  const postponedRows = claimed.filter(hasWaited)
  const postponedIds = new Set(ids(postponedRows))
  const notifications = [
    ...sendableRows.filter(({ id }) => !postponedIds.has(id)),
    ...(await withRightfulSenders(
      rights,
      sendableRows.filter(({ id }) => postponedIds.has(id)),
    )),
  ]
  const settledDeliveries = await settledReminders(pendingReaders, postponedRows, notifications)
  const peopleById = await audience.people(claimed.flatMap(delivery => delivery.member_id ?? []))
  const workspacesByMember = await audience.workspacesOf([...peopleById.keys()])
  const sendableById = new Map(notifications.map(row => [row.id, row]))
  /** A member who may be notified now: active, and in the notification's workspace. */
  const activeReader = (delivery: DeliveryRow) => {
    const { member_id: id, workspace_id: workspaceId } = delivery
    if (settledDeliveries.has(delivery)) return undefined
    const person = peopleById.get(id ?? '')
    const isMember = workspaceId === '' || workspacesByMember.get(id ?? '')?.has(workspaceId)
    return person?.isActive && isMember ? person : undefined
  }
  return { notifications: sendableById, activeReader }
}

async function send<Job extends { delivery: DeliveryRow }>(
  sender: Sender<Job>,
  jobs: readonly Job[],
  lane: Lane,
): Promise<Outcomes> {
  const outcomes = await sender(jobs)
  return new Map(jobs.map((job, i) => [job.delivery, outcomes[i] ?? failure(lane, 'Internal error')]))
}
