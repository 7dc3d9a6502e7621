import type { JsonObject } from '@bufbuild/protobuf'
import { events } from '../../../gen/events.ts'
import { isId } from '../../kernel/base/ids.ts'
import { type EventEntities, entitiesOf, type NamedEntity } from '../../kernel/bus/event-option.ts'
import { PermanentFailure, storableId } from '../../kernel/bus/message.ts'
import { isStorableTime } from '../../kernel/json/bounds.ts'
import { allChannels, appBit, maskOf } from '../channels.ts'

/** A validated event from the bus. */
export type IncomingEvent = {
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
  occurredAt: Date
}

const maxReceivers = 20_000
const maxLength = { type: 100, entityId: 255, workspaceName: 255, actorId: 64, actorName: 511 }

type Fields = Record<string, unknown>

/** Reports a field that is read as if it were absent. */
type Ignore = (field: string) => void

/**
 * Reads an envelope. A field that has a default may be absent or unreadable; PermanentFailure names
 * any other one that is, because no retry could help.
 */
export function readEnvelope(body: unknown, ignore: Ignore = () => undefined): IncomingEvent {
  if (!isObject(body)) throw new PermanentFailure('Not an event: the body is not an object')
  const { payload, metadata } = body
  const key = typeOf(body['type'])
  const workspaceId = workspaceOf(body['workspaceId'])
  if (!isObject(payload)) throw malformed('payload', payload, 'must be an object')
  if (typeof payload['id'] !== 'string' || payload['id'] === '')
    throw malformed('payload.id', payload['id'], 'must be a text')
  if (!isObject(metadata)) throw malformed('metadata', metadata, 'must be an object')
  const receiverIds = receiversOf(metadata['receiverIds'])
  const { field } = entityOf(key)
  const entityId = payload[field]
  if (typeof entityId === 'string' && entityId.length > maxLength.entityId)
    throw new PermanentFailure(`Not an event: payload.${field} must have at most ${maxLength.entityId} characters`)
  const [type = '', ...categoryWords] = key.split('.')
  return {
    key,
    type,
    category: categoryWords.join('.'),
    entityId: typeof entityId === 'string' ? entityId : null,
    workspaceId,
    ecosystemId: optional('ecosystemId', body['ecosystemId'], idIn, ignore) ?? null,
    workspaceName: optional('workspaceName', body['workspaceName'], textUpTo(maxLength.workspaceName), ignore),
    payload: payload as JsonObject,
    channels: channelsOf(body['channels'], ignore),
    priority: optional('priority', body['priority'], priorityIn, ignore) ?? 1,
    actor: optional('metadata.actor', metadata['actor'], actorIn, ignore) ?? { id: '', name: '', type: 'member' },
    receiverIds,
    occurrenceId: optional('metadata.occurrenceId', metadata['occurrenceId'], occurrenceIn, ignore),
    occurredAt: optional('metadata.timestamp', metadata['timestamp'], timeIn, ignore) ?? new Date(),
  }
}

function typeOf(type: unknown): string {
  const isType = typeof type === 'string' && type.length <= maxLength.type && /^[\w-]+(?:\.[\w-]+)*$/.test(type)
  if (!isType) throw malformed('type', type, 'must be words of letters, digits, _ and -, separated by dots')
  return type
}

/** Empty for the few events without a workspace. */
function workspaceOf(workspaceId: unknown): string {
  const id = workspaceId === '' ? '' : idIn(workspaceId)
  if (id === undefined) throw malformed('workspaceId', workspaceId, 'must be an id')
  return id
}

function receiversOf(receiverIds: unknown): readonly string[] {
  if (!Array.isArray(receiverIds) || receiverIds.length > maxReceivers)
    throw malformed('metadata.receiverIds', receiverIds, `must be a list of at most ${maxReceivers} ids`)
  return [...new Set(receiverIds.map(idIn).filter(id => id !== undefined))]
}

function channelsOf(channels: unknown, ignore: Ignore): number {
  if (channels === undefined || channels === null) return appBit
  const names: unknown[] = Array.isArray(channels) ? channels : []
  const mask = maskOf(names.filter(name => typeof name === 'string'))
  if (mask === 0 && !(Array.isArray(channels) && channels.length === 0))
    throw malformed('channels', channels, `must name any of ${allChannels.join(', ')}`)
  if (names.some(name => maskOf([String(name)]) === 0)) ignore('channels')
  return mask || appBit
}

/** The parsed value; undefined, and reported unless it is absent, when it can't be read. */
function optional<T>(field: string, value: unknown, read: (value: unknown) => T | undefined, ignore: Ignore) {
  if (value === undefined || value === null) return undefined
  const result = read(value)
  if (result === undefined) ignore(field)
  return result
}

function idIn(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value.toLowerCase() : ''
  return isId(id) ? id : undefined
}

const textUpTo = (maxCharacters: number) => (value: unknown) =>
  typeof value === 'string' && value.length <= maxCharacters ? value : undefined

const priorityIn = (value: unknown) => ([1, 2, 3].includes(value as number) ? (value as number) : undefined)

function actorIn(value: unknown): IncomingEvent['actor'] | undefined {
  if (!isObject(value)) return undefined
  const { id = '', name = '', type = 'member' } = value
  const isActor = textUpTo(maxLength.actorId)(id) !== undefined && textUpTo(maxLength.actorName)(name) !== undefined
  return isActor && (type === 'member' || type === 'system') ? { id: String(id), name: String(name), type } : undefined
}

const occurrenceIn = (value: unknown) => (typeof value === 'string' && value !== '' ? storableId(value) : undefined)

function timeIn(value: unknown): Date | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return isStorableTime(time / 1_000) ? new Date(time) : undefined
}

const malformed = (field: string, value: unknown, rule: string) =>
  new PermanentFailure(`Not an event: ${field} ${value === undefined ? 'is missing' : rule}`)

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const byType = new Map([...events].map(([type, desc]) => [type, entitiesOf(desc)]))

/** What an event says about entities; undefined for a type that only others emit. */
export const entitiesOfType = (type: string): EventEntities | undefined => byType.get(type)

/** The entity that an event of this type is about. */
const entityOf = (type: string): NamedEntity => entitiesOfType(type)?.entity ?? { kind: type, field: 'id' }
