import { create, type DescMessage, getOption, type MessageInitShape } from '@bufbuild/protobuf'
import type { Transaction } from 'kysely'
import { event as eventOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { newId } from '../base/ids.ts'
import { toJson } from '../json/encode.ts'
import { enqueue, enqueueAll, type OutboxEvent } from './outbox.ts'

/** The cause of an event (envelope `metadata.actor`, docs/contract.md), with the credential used, if any. */
export type EventActor = { id: string; name: string; type: 'member' | 'system'; credentialId?: string }

/** The platform itself, as an actor. */
export const systemActor: EventActor = { id: 'system', name: 'system', type: 'system' }

export type Channel = 'push' | 'socket' | 'email' | 'app'

/** The envelope's fields around a payload. */
export type EventEnvelope = {
  workspaceId: string
  ecosystemId?: string | undefined
  workspaceName?: string | undefined
  channels: Channel[]
  actor: EventActor
  /** Member ids to notify. */
  receiverIds: string[]
  /** Shared by the events of one occurrence, so that they make one notification. */
  occurrenceId?: string
  /** 1 normal, 2 important, 3 urgent. */
  priority?: 1 | 2 | 3
}

/** The envelope of an entry for the audit log of a hotel; without one, of the platform. It notifies nobody. */
export const auditScope = (actor: EventActor, ecosystemId?: string): EventEnvelope => ({
  workspaceId: '',
  ecosystemId,
  channels: [],
  actor,
  receiverIds: [],
})

/**
 * Writes an event to the outbox in the running transaction: it is published if, and only if, the transaction commits.
 * The payload's type determines the routing key (`platform.options.v1.event`).
 * @returns the event's id
 */
export async function emit<T, Desc extends DescMessage>(
  trx: Transaction<T>,
  desc: Desc,
  payload: MessageInitShape<Desc>,
  envelope: EventEnvelope,
): Promise<string> {
  const [id = ''] = await enqueueAll(trx, eventsOf(desc, payload, envelope))
  return id
}

/** Like `emit`, for many events of one type, each with its own envelope fields. */
export async function emitAll<T, Desc extends DescMessage>(
  trx: Transaction<T>,
  desc: Desc,
  events: { payload: MessageInitShape<Desc>; envelope: EventEnvelope }[],
): Promise<void> {
  await enqueueAll(
    trx,
    events.flatMap(({ payload, envelope }) => eventsOf(desc, payload, envelope)),
  )
}

/** An event's outbox rows: one for its routing key and one for each alias. */
function eventsOf<Desc extends DescMessage>(
  desc: Desc,
  payload: MessageInitShape<Desc>,
  envelope: EventEnvelope,
): OutboxEvent[] {
  const { type, key, aliases, bare } = getOption(desc, eventOption)
  if (!key || bare) throw new Error(`${desc.typeName} is not an event with an envelope`)
  const { workspaceId, ecosystemId, workspaceName, channels, actor, receiverIds, priority } = envelope
  const body = {
    type,
    workspaceId,
    ...(ecosystemId ? { ecosystemId } : {}),
    ...(workspaceName ? { workspaceName } : {}),
    payload: toJson(desc, create(desc, payload)),
    channels,
    ...(priority ? { priority } : {}),
    metadata: {
      timestamp: new Date().toISOString(),
      actor,
      receiverIds: [...new Set(receiverIds)],
      occurrenceId: envelope.occurrenceId ?? newId(),
    },
  }
  return [key, ...aliases].map(subject => ({ subject, body }))
}

/** Writes an event without the notification envelope, such as platform.storage.media. */
export async function emitBare<T, Desc extends DescMessage>(
  trx: Transaction<T>,
  desc: Desc,
  payload: MessageInitShape<Desc>,
): Promise<string> {
  const { key, bare } = getOption(desc, eventOption)
  if (!key || !bare) throw new Error(`${desc.typeName} is not an event without an envelope`)
  return enqueue(trx, { subject: key, body: toJson(desc, create(desc, payload)) })
}
