import { Counter, type Registry } from 'prom-client'
import { type Poller, startPoller } from '../../kernel/base/poller.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { Context } from '../context.ts'
import type { WebhookDeliveryRow, WebhookRow } from '../tables.ts'
import type { AddressRules } from './address.ts'
import { auditWebhook } from './audit.ts'
import { type CallOutcome, callEndpoint } from './call.ts'
import {
  type AttemptResult,
  claimWebhookDeliveries,
  failWaiting,
  isAnyWaiting,
  recordAttempt,
  webhooksDue,
} from './deliveries.sql.ts'
import { type DisabledMailParts, enqueueDisabledMails } from './disabled-mail.ts'
import { clearFailing, disableWebhook, findWebhook, markFailing } from './endpoints.sql.ts'
import { failureOf } from './failures.ts'

export type WorkerParts = Pick<Context, 'db' | 'audience' | 'clock'> &
  DisabledMailParts & {
    /** Opens the secrets of endpoints. */
    secretCipher: Cipher
    rules: AddressRules
    /** Sends the mails about disabled endpoints. */
    deliveries: Pick<Poller, 'wake'>
    attempts: Counter<'result'>
    /** Interval of the search for due deliveries. */
    pollMs: number
    log: Log
  }

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
/** Delay before each retry. */
const webhookRetryDelays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
const longestWaitMs = 10 * hour
const failingMs = 5 * 24 * hour
/** Longer than an attempt can take, so that no lease needs a renewal. */
const leaseMs = minute
/** Calls of this process at once: to an endpoint, and to all. */
const maxPerWebhook = 4
const maxCalls = 200
const maxWebhooksPerPoll = 50

/**
 * Sends deliveries, at most four at once to an endpoint, so that a slow one delays no other. A delivery is leased while
 * it is tried: when the process dies, another one tries it again within a minute, under the same webhook-id.
 */
export function startWebhookDeliveries(parts: WorkerParts): Poller {
  const { db, clock, pollMs, log } = parts
  const calls = new Set<Promise<void>>()
  const callsByWebhook = new Map<string, number>()
  const stopping = new AbortController()
  const addCalls = (webhookId: string, count: number) => {
    const total = (callsByWebhook.get(webhookId) ?? 0) + count
    if (total > 0) callsByWebhook.set(webhookId, total)
    else callsByWebhook.delete(webhookId)
  }

  /** Claims due deliveries to an endpoint and starts to send them. @returns their number */
  const startCalls = async (webhookId: string): Promise<number> => {
    const limit = maxPerWebhook - (callsByWebhook.get(webhookId) ?? 0)
    const claimed = await claimFor(parts, webhookId, limit)
    failpoint('webhook-claimed')
    addCalls(webhookId, claimed.length)
    for (const { webhook, delivery } of claimed) {
      const call = attemptDelivery(parts, webhook, delivery, stopping.signal)
        .catch((err: unknown) => log.warn({ delivery: delivery.id, err }, 'webhook attempt not recorded; retrying'))
        .finally(() => {
          calls.delete(call)
          addCalls(webhookId, -1)
          poller.wake()
        })
      calls.add(call)
    }
    return claimed.length
  }
  const poller = startPoller({
    everyMs: pollMs,
    async poll() {
      const busyWebhooks = [...callsByWebhook].flatMap(([id, count]) => (count < maxPerWebhook ? [] : [id]))
      const isFull = calls.size >= maxCalls
      const webhookIds = isFull ? [] : await webhooksDue(db, clock.now(), busyWebhooks, maxWebhooksPerPoll)
      let startedCalls = 0
      for (const webhookId of webhookIds) startedCalls += await startCalls(webhookId)
      if (startedCalls > 0) return 0
      return (await isAnyWaiting(db)) ? pollMs : undefined
    },
    failed: error => log.warn({ err: error }, 'webhook deliveries not claimed; retrying'),
  })
  return {
    wake: poller.wake,
    async stop() {
      await poller.stop()
      stopping.abort()
      await Promise.all(calls)
    },
  }
}

/** Counts attempts by result: delivered, retry or failed. */
export const countAttempts = (registry: Registry): Counter<'result'> =>
  new Counter({
    name: 'webhook_attempts_total',
    help: 'Attempts to deliver webhooks: delivered, retry (failed, with another attempt to come) or failed',
    labelNames: ['result'],
    registers: [registry],
  })

type ClaimedDelivery = { webhook: WebhookRow; delivery: WebhookDeliveryRow }

/** Claims due deliveries to an endpoint. What waits for one that gets no events ends. */
async function claimFor(
  { db, clock, audience }: WorkerParts,
  webhookId: string,
  limit: number,
): Promise<ClaimedDelivery[]> {
  const webhook = await findWebhook(db, webhookId)
  if (webhook?.is_enabled && (await audience.workspace(webhook.workspace_id))) {
    const deliveries = await claimWebhookDeliveries(db, webhookId, { limit, now: clock.now(), leaseMs })
    return deliveries.map(delivery => ({ webhook, delivery }))
  }
  await failWaiting(db, webhookId, webhook?.is_enabled ? 'hotel_closed' : 'endpoint_disabled')
  // An endpoint of a closed hotel isn't called, so it doesn't count as failing.
  if (webhook?.is_enabled) await clearFailing(db, webhookId)
  return []
}

async function attemptDelivery(
  parts: WorkerParts,
  webhook: WebhookRow,
  delivery: WebhookDeliveryRow,
  stopSignal: AbortSignal,
): Promise<void> {
  const outcome = await tryDelivery(parts, webhook, delivery, stopSignal)
  failpoint('webhook-called')
  // A call that stopping has cut off stays leased; another process repeats it.
  if (!stopSignal.aborted) await settleAttempt(parts, webhook, delivery, outcome)
  failpoint('webhook-settled')
}

/** The secrets that sign at a time, the current one first. */
const secretsAt = (
  { secret, previous_secret: previous, previous_secret_until: until }: WebhookRow,
  cipher: Cipher,
  now: Date,
): string[] => {
  const sealedSecrets = previous !== null && until !== null && until > now ? [secret, previous] : [secret]
  return sealedSecrets.flatMap(one => cipher.open(one) ?? [])
}

async function tryDelivery(
  { secretCipher, rules, clock }: WorkerParts,
  webhook: WebhookRow,
  { id, body, attempts }: WebhookDeliveryRow,
  stopSignal: AbortSignal,
): Promise<CallOutcome> {
  // Every attempt ended with its process, perhaps because of it: don't risk another one.
  if (attempts > webhookRetryDelays.length + 1) return { status: undefined, ...failureOf('process_ended') }
  const sentAt = clock.now()
  const secrets = secretsAt(webhook, secretCipher, sentAt)
  if (secrets.length === 0) return { status: undefined, ...failureOf('secret_unreadable') }
  return callEndpoint({ url: webhook.url, id, secrets, sentAt, body }, rules, stopSignal)
}

/** Records an attempt, when the next one is due, and what the endpoint's state becomes. */
async function settleAttempt(
  parts: WorkerParts,
  webhook: WebhookRow,
  delivery: WebhookDeliveryRow,
  outcome: CallOutcome,
): Promise<void> {
  const { db, clock, attempts, log, deliveries, audience } = parts
  const now = clock.now()
  const { status } = outcome
  const isDelivered = status !== undefined && status >= 200 && status < 300
  const isGone = status === 410
  const retryAt = isDelivered || isGone ? null : retryTime(delivery.attempts, outcome, now)
  const isDisabled = await inTransaction(db, async trx => {
    const isRecorded = await recordAttempt(trx, delivery, {
      status: isDelivered ? 'delivered' : retryAt ? 'pending' : 'failed',
      due_at: retryAt,
      response_status: status ?? null,
      response_body: status === undefined ? null : outcome.text,
      ...failureOfOutcome(outcome, isDelivered),
    })
    if (!isRecorded) return false
    if (isDelivered) {
      await clearFailing(trx, webhook.id)
      return false
    }
    await markFailing(trx, webhook, now)
    if (retryAt) return false
    const failingBefore = new Date(now.getTime() - failingMs)
    if (!(await disableWebhook(trx, webhook, { isGone, now, failingBefore }))) return false
    await failWaiting(trx, webhook.id, 'endpoint_disabled')
    const reason = isGone ? 'gone' : 'failing'
    await enqueueDisabledMails(trx, parts, webhook, reason)
    const tenant = {
      workspaceId: webhook.workspace_id,
      ecosystemId: (await audience.workspace(webhook.workspace_id))?.ecosystemId,
    }
    await auditWebhook(trx, tenant, { id: webhook.id, actor: systemActor, action: 'disabled', after: { reason } })
    failpoint('webhook-disabling')
    return true
  })
  attempts.inc({ result: isDelivered ? 'delivered' : retryAt ? 'retry' : 'failed' })
  if (!isDelivered) log.warn({ webhook: webhook.id, delivery: delivery.id, status }, 'webhook attempt failed')
  if (isDisabled) deliveries.wake()
}

function failureOfOutcome(outcome: CallOutcome, isDelivered: boolean): Pick<AttemptResult, 'error' | 'error_code'> {
  if (isDelivered) return { error: null, error_code: null }
  if (outcome.status !== undefined) return failureOf('status', outcome.status)
  return { error: outcome.error, error_code: outcome.error_code }
}

/** When the next attempt is due; null after the last one. */
function retryTime(attempt: number, outcome: CallOutcome, now: Date): Date | null {
  const delay = webhookRetryDelays[attempt - 1]
  if (delay === undefined) return null
  const isAskedToWait = outcome.status === 429 || outcome.status === 503
  const requestedMs = isAskedToWait ? Math.min(outcome.retryAfterMs, longestWaitMs) : 0
  return new Date(now.getTime() + Math.max(delay, requestedMs))
}
