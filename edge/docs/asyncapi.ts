import { readFileSync } from 'node:fs'

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  const?: string
  enum?: (string | null)[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
}
type Ref = { $ref: string }
type Message = {
  name: string
  summary?: string
  description?: string
  tags?: { name: string }[]
  payload: Schema
  examples: { payload: unknown }[]
}
/** The parts of gen/asyncapi.json that the page shows. */
type AsyncApi = {
  info: { title: string; description: string; version: string }
  servers: Record<string, { host: string; pathname?: string; description: string }>
  channels: Record<string, { address: string; messages: Record<string, Ref>; servers: Ref[] }>
  operations: Record<string, { action: 'send' | 'receive'; channel: Ref; messages: Ref[] }>
  components: { messages: Record<string, Message>; schemas: Record<string, Schema> }
}

/** A field of a message: its path, type and description. */
export type Field = { path: string; type: string; text: string }
export type Entry = {
  id: string
  name: string
  text: string
  /** Subjects of the bus, or sockets by their listener. */
  places: string[]
  /** The senders: services for events. */
  senders: string[]
  room: string
  fields: Field[]
  example: string
}
/** The page's content: events by service, then frames by direction. */
export type Group = { title: string; text: string; entries: Entry[] }

/** The AsyncAPI document as it is served. */
export const asyncApiText: string = readFileSync(new URL('../../gen/asyncapi.json', import.meta.url), 'utf8')

/** The messages of the document in the order of the page. */
export function groupsOf(text: string): { info: AsyncApi['info']; servers: AsyncApi['servers']; groups: Group[] } {
  const { info, servers, channels, operations, components } = JSON.parse(text) as AsyncApi
  const placesOf = (key: string, action: 'send' | 'receive'): string[] =>
    Object.values(operations)
      .filter(one => one.action === action && one.messages.some(({ $ref }) => $ref.endsWith(`/${key}`)))
      .map(({ channel }) => lastOf(channel.$ref))
      .map(name => (channels[name]?.servers[0]?.$ref.endsWith('/bus') ? name : (servers[name]?.host ?? name)))
  const entryOf = (key: string, action: 'send' | 'receive'): Entry => {
    const { name, summary = '', description = '', tags = [], payload, examples } = components.messages[key] as Message
    return {
      id: key,
      name,
      text: summary,
      places: placesOf(key, action),
      senders: tags.map(tag => tag.name),
      room: /`([^`]+)`/.exec(description)?.[1] ?? '',
      fields: [...fieldsOf(payload, '', components.schemas)],
      example: JSON.stringify(examples[0]?.payload, null, 2),
    }
  }
  const keys = Object.keys(components.messages)
  const isEvent = (key: string) => (components.messages[key]?.tags ?? []).length > 0
  const events = keys.filter(isEvent).map(key => entryOf(key, 'send'))
  const frames = (action: 'send' | 'receive') =>
    keys
      .filter(key => !isEvent(key))
      .map(key => entryOf(key, action))
      .filter(entry => entry.places.length > 0)
  const byService = [...Map.groupBy(events, entry => entry.senders[0] ?? '')].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    info,
    servers,
    groups: [
      ...byService.map(([service, entries]) => ({
        title: `Events of ${service}`,
        text: `Events that the ${service} service publishes on the bus, with their routing keys.`,
        entries,
      })),
      { title: 'Frames to clients', text: 'Frames that the server sends.', entries: frames('send') },
      { title: 'Frames from clients', text: 'Frames that a client can send.', entries: frames('receive') },
    ],
  }
}

const lastOf = (ref: string): string => (ref.split('/').at(-1) ?? '').replaceAll('~1', '/').replaceAll('~0', '~')

/** Fields of a payload and of its nested types; a recursive type is shown once. */
function* fieldsOf(
  schema: Schema,
  path: string,
  schemas: Record<string, Schema>,
  above: string[] = [],
): Generator<Field> {
  const { target, names } = resolved(schema, schemas)
  if (names.some(name => above.includes(name))) return
  const within = [...above, ...names]
  if (target.items) return yield* fieldsOf(target.items, `${path}[]`, schemas, within)
  for (const [key, one] of Object.entries(target.properties ?? {})) {
    const fieldPath = path ? `${path}.${key}` : key
    const optional = target.required?.includes(key) ? '' : ', optional'
    yield { path: fieldPath, type: typeOf(one, schemas) + optional, text: one.description ?? '' }
    yield* fieldsOf(one, fieldPath, schemas, within)
  }
}

/** A schema without its reference or nullable wrapper, with the names of the types passed through. */
function resolved(schema: Schema, schemas: Record<string, Schema>): { target: Schema; names: string[] } {
  const ref = schema.$ref ?? schema.anyOf?.find(one => one.$ref)?.$ref
  if (ref === undefined) return { target: schema, names: [] }
  const name = lastOf(ref)
  const { target, names } = resolved(schemas[name] ?? {}, schemas)
  return { target, names: [name, ...names] }
}

function typeOf(schema: Schema, schemas: Record<string, Schema>): string {
  const { target } = resolved(schema, schemas)
  const types = [target.type ?? []].flat().filter(one => one !== 'null')
  const isNullable = [target.type ?? []].flat().includes('null') || schema.anyOf?.some(one => one.type === 'null')
  const values = target.const === undefined ? target.enum?.filter(one => one !== null) : [target.const]
  const list = target.items ? `list of ${typeOf(target.items, schemas)}` : undefined
  const plain = list ?? (values ? values.map(one => `"${one}"`).join(' | ') : (target.format ?? types.join(' | ')))
  return `${plain || 'any'}${isNullable ? ' or null' : ''}`
}
