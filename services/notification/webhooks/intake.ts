import { getOption, type JsonObject } from '@bufbuild/protobuf'
import { events } from '../../../gen/events.ts'
import { event as eventOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { isId, newId } from '../../kernel/base/ids.ts'
import type { Poller } from '../../kernel/base/poller.ts'
import { answerCache } from '../../kernel/base/share.ts'
import { type BusMessage, claimEvent } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import { webhookSubject } from '../config.ts'
import type { Context } from '../context.ts'
import { type IncomingEvent, readEnvelope } from '../intake/envelope.ts'
import type { WebhookRow } from '../tables.ts'
import { insertWebhookDeliveries, type NewWebhookDelivery } from './deliveries.sql.ts'
import { hasWebhooks, webhooksTaking } from './endpoints.sql.ts'

type Parts = Pick<Context, 'db' | 'audience' | 'clock'> & { webhookDeliveries: Pick<Poller, 'wake'> }

/** The event types that webhooks carry, as the option of each event states. */
export const webhookTypes: ReadonlySet<string> = new Set(
  [...events].flatMap(([type, desc]) => (getOption(desc, eventOption).webhooks ? [type] : [])).toSorted(),
)

/** Not the event of a draft or archived page, which only its author and editors see. */
const isCarried = ({ key, payload }: IncomingEvent): boolean => webhookTypes.has(key) && payload['editorsOnly'] !== true

/** Whether workspaces have endpoints, for at most 800 ms: most have none, and their events then cost no transaction. */
const hasEndpoints = answerCache({ max: 10_000, ttl: 800 })

/** Enqueues each event once for every endpoint of its workspace that takes it. */
export const webhookEvents = ({ db, audience, clock, webhookDeliveries }: Parts, durable: string) => ({
  durable,
  subject: webhookSubject,
  skipsUnreadable: true,
  async handle(message: BusMessage): Promise<void> {
    const event = readEnvelope(message.body)
    const { workspaceId } = event
    if (!isCarried(event) || !workspaceId || !(await audience.workspace(workspaceId))) return
    if (!(await hasEndpoints.get(workspaceId, () => hasWebhooks(db, workspaceId)))) return
    const isQueued = await inTransaction(db, async trx => {
      const webhooks = await webhooksTaking(trx, workspaceId, event.key)
      if (webhooks.length === 0 || !(await claimEvent(trx, durable, message.id))) return false
      // Several messages of one occurrence differ in their receivers only.
      const occurrenceId = event.occurrenceId ?? message.id
      await insertWebhookDeliveries(
        trx,
        webhooks.map(webhook => newDelivery(webhook, occurrenceId, event, clock.now())),
      )
      failpoint('webhook-queueing')
      return true
    })
    failpoint('webhook-queued')
    if (isQueued) webhookDeliveries.wake()
  },
})

type SentEvent = Pick<IncomingEvent, 'key' | 'payload' | 'ecosystemId' | 'actor' | 'occurredAt'>

/** A delivery that is due at once. Its body is stored, so that every attempt sends and signs the same bytes. */
export function newDelivery(
  { id: webhookId, workspace_id: workspaceId }: Pick<WebhookRow, 'id' | 'workspace_id'>,
  occurrenceId: string,
  { key: type, payload, ecosystemId, actor, occurredAt }: SentEvent,
  now: Date,
): NewWebhookDelivery {
  const data = { ...payload, workspaceId, ecosystemId, actor: { ...actor } } satisfies JsonObject
  const { memberId } = payload
  return {
    id: newId(),
    workspace_id: workspaceId,
    webhook_id: webhookId,
    event_type: type,
    occurrence_id: occurrenceId,
    body: JSON.stringify({ type, timestamp: occurredAt.toISOString(), data }),
    named_actor_id: isId(actor.id) ? actor.id : null,
    named_person_id: typeof memberId === 'string' && isId(memberId) ? memberId : null,
    due_at: now,
    created_at: now,
  }
}
