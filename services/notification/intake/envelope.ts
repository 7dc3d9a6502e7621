import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import { EnvelopeSchema } from '../../../gen/platform/events/v1/envelope_pb.ts'
import { isId } from '../../kernel/base/ids.ts'
import { perList } from '../../kernel/base/memo.ts'
import { PermanentFailure, readBody } from '../../kernel/bus/consume.ts'
import { validator } from '../../kernel/rpc/validator.ts'
import { maskOf } from '../channels.ts'
import { entityOf } from './entities.ts'

/** A validated event from the bus. */
export type Happening = {
  /** Such as page.created. */
  key: string
  /** The part before the first dot, and the rest. */
  type: string
  category: string
  /** The entity that it is about. */
  entityId: string | null
  workspaceId: string
  ecosystemId: string | null
  workspaceName: string | undefined
  payload: JsonObject
  /** Bits. */
  channels: number
  priority: number
  actor: { id: string; name: string; type: string }
  /** Distinct. */
  receiverIds: readonly string[]
  occurrenceId: string | undefined
  at: Date
}

const maxReceivers = 20_000
const maxEntityId = 255

/** Reads an envelope. Throws PermanentFailure when it breaks the contract, because no retry could help [D28]. */
export function readEnvelope(body: unknown): Happening {
  const { receiverIds, rest } = apart(body)
  const envelope = decode(leniently(rest))
  const { type: key, metadata, payload = {} } = envelope
  const { field } = entityOf(key)
  const entityId = payload[field]
  if (typeof entityId === 'string' && entityId.length > maxEntityId)
    throw new PermanentFailure(`Not an event: payload.${field} must have at most ${maxEntityId} characters`)
  const [type = '', ...others] = key.split('.')
  return {
    key,
    type,
    category: others.join('.'),
    entityId: typeof entityId === 'string' ? entityId : null,
    workspaceId: envelope.workspaceId,
    ecosystemId: envelope.ecosystemId ?? null,
    workspaceName: envelope.workspaceName,
    payload,
    channels: maskOf(envelope.channels),
    priority: envelope.priority ?? 1,
    actor: {
      id: metadata?.actor?.id ?? '',
      name: metadata?.actor?.name ?? '',
      type: metadata?.actor?.type ?? 'system',
    },
    receiverIds,
    occurrenceId: metadata?.occurrenceId || undefined,
    at: metadata?.timestamp ? timestampDate(metadata.timestamp) : new Date(),
  }
}

const decode = (body: JsonValue) =>
  readBody('an event', () => {
    const envelope = fromJson(EnvelopeSchema, body, { ignoreUnknownFields: true })
    const result = validator.validate(EnvelopeSchema, envelope)
    if (result.kind === 'valid') return envelope
    throw result.error
  })

/** Other emitters repeat a channel or omit the actor; neither is worth losing a notification. */
function leniently(body: JsonValue): JsonValue {
  if (!isObject(body)) return body
  const { channels, metadata } = body
  const actor = isObject(metadata) && isObject(metadata['actor']) ? metadata['actor'] : {}
  const named = { id: '', name: '', type: 'member', ...actor }
  return {
    ...body,
    ...(Array.isArray(channels) ? { channels: [...new Set(channels)] } : {}),
    ...(isObject(metadata) ? { metadata: { ...metadata, actor: named } } : {}),
  } as JsonValue
}

/** Validated by hand: the generic validator is slow for thousands of ids. */
function apart(body: unknown): { receiverIds: readonly string[]; rest: JsonValue } {
  if (!isObject(body)) throw new PermanentFailure('Not an event: the body is not an object')
  const { metadata } = body
  if (!isObject(metadata)) return { receiverIds: [], rest: body as JsonValue }
  const { receiverIds = [], ...others } = metadata
  if (!Array.isArray(receiverIds) || receiverIds.length > maxReceivers || !receiverIds.every(isText)) throw notIds()
  return { receiverIds: crowdOf(receiverIds), rest: { ...body, metadata: others } as JsonValue }
}

const isText = (id: unknown): id is string => typeof id === 'string'

/** The distinct ids of a list; lists that name the same crowd again are the same object. */
const crowdOf = perList(ids => {
  if (!ids.every(isId)) throw notIds()
  return [...new Set(ids)]
}, 200_000)

const notIds = () =>
  new PermanentFailure(`Not an event: metadata.receiverIds must be a list of at most ${maxReceivers} ids`)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
