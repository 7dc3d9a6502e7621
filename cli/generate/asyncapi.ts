import { type DescFile, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import { listeners } from '../../edge/config.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { EnvelopeSchema } from '../../gen/platform/events/v1/envelope_pb.ts'
import { Direction, frame as frameOption } from '../../gen/platform/options/v1/options_pb.ts'
import { type EventEntry, eventEntries, serviceSources } from './events/catalogue.ts'
import type { Comments } from './openapi/comments.ts'
import { maker } from './openapi/examples.ts'
import { reachedFrom, type SchemaBook, type Direction as Side, schemaBook } from './openapi/messages.ts'
import { type Schema, withoutEmpty } from './openapi/schema.ts'

const description =
  'Events of the bus (NATS JetStream, JSON) and frames of the sockets (`{event, data, id?}` as text), from the point of ' +
  'view of the platform. Required fields are always present, and `null` when they have no value. Times are ISO 8601 in UTC.'

const ref = (...path: string[]): { $ref: string } => ({
  $ref: `#/${path.map(part => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`,
})

/** gen/asyncapi.json: events/v1 and live/v1 as an AsyncAPI 3 document. */
export function asyncApiText(files: DescFile[], comments: Comments): string {
  return `${JSON.stringify(asyncApi(files, comments), null, 2)}\n`
}

/** The document itself. */
function asyncApi(files: DescFile[], comments: Comments): Schema {
  const entries = eventEntries(files, serviceSources())
  const frames = files.flatMap(file => file.messages).filter(desc => hasOption(desc, frameOption))
  const book = schemaBook(comments, sharedOf(entries, frames))
  const messages: Record<string, Schema> = {
    ...Object.fromEntries(entries.map(entry => [entry.desc.name, eventMessage(entry, book, comments)])),
    ...Object.fromEntries(frames.map(desc => [desc.name, frameMessage(desc, book, comments)])),
  }
  // Examples last: they are built from all schemas that the messages refer to.
  const make = maker({ schemas: book.components() })
  for (const { desc, event } of entries) {
    const payload = make(book.message(desc, 'answer'), '', 'answer')
    const envelope = make(book.object(EnvelopeSchema.fields, 'answer'), '', 'answer') as Schema
    addExample(messages[desc.name], event.bare ? payload : { ...envelope, type: event.type, payload })
  }
  for (const desc of frames) {
    const { event } = getOption(desc, frameOption)
    addExample(messages[desc.name], { event, data: make(...dataOf(desc, book), sideOf(desc)) })
  }
  const ports = [...new Set(frames.flatMap(desc => getOption(desc, frameOption).services))].toSorted() as RestService[]
  return {
    asyncapi: '3.0.0',
    info: { title: 'Hospitality platform: events and sockets', version: '1.0.0', description },
    defaultContentType: 'application/json',
    servers: {
      bus: {
        host: '127.0.0.1:4222',
        protocol: 'nats',
        description: 'The event bus, at `AMQP_GATEWAY_URL`.',
      },
      ...Object.fromEntries(ports.map(name => [`${name}Sockets`, socketServer(name)])),
    },
    channels: {
      ...Object.fromEntries(entries.flatMap(eventChannels)),
      ...Object.fromEntries(ports.map(name => [`${name}Sockets`, socketChannel(name, frames)])),
    },
    operations: {
      ...Object.fromEntries(entries.flatMap(eventOperations)),
      ...Object.fromEntries(ports.flatMap(name => socketOperations(name, frames))),
    },
    components: { messages, schemas: book.components() },
  }
}

/** Messages both sent and received by clients; their schemas differ. */
function sharedOf(entries: EventEntry[], frames: DescMessage[]): Set<DescMessage> {
  const isSent = (desc: DescMessage) => getOption(desc, frameOption).direction === Direction.CLIENT
  const allReachedFrom = (messages: DescMessage[]) => new Set(messages.flatMap(desc => [...reachedFrom(desc)]))
  const sentToClients = allReachedFrom([
    ...entries.map(({ desc }) => desc),
    ...frames.filter(desc => !isSent(desc)),
    EnvelopeSchema,
  ])
  return new Set([...allReachedFrom(frames.filter(isSent))].filter(desc => sentToClients.has(desc)))
}

function eventMessage({ desc, event, emitters }: EventEntry, book: SchemaBook, comments: Comments): Schema {
  const payload = book.message(desc, 'answer')
  return withoutEmpty({
    name: event.type,
    title: event.type,
    summary: comments.get(desc.typeName),
    tags: emitters.map(name => ({ name })),
    payload: event.bare ? payload : enveloped(event.type, payload, book),
  })
}

/** The envelope with this type and payload. */
function enveloped(type: string, payload: Schema, book: SchemaBook): Schema {
  const envelope = book.object(EnvelopeSchema.fields, 'answer')
  const properties = envelope['properties'] as Schema
  return { ...envelope, properties: { ...properties, type: { type: 'string', const: type }, payload } }
}

/** A key may have aliases. */
const keysOf = ({ event }: EventEntry): string[] => [event.key, ...event.aliases]

const eventChannels = (entry: EventEntry): [string, Schema][] =>
  keysOf(entry).map(address => [
    address,
    {
      address,
      messages: { [entry.desc.name]: ref('components', 'messages', entry.desc.name) },
      servers: [ref('servers', 'bus')],
    },
  ])

const eventOperations = (entry: EventEntry): [string, Schema][] =>
  keysOf(entry).map(address => [
    `send ${address}`,
    {
      action: 'send',
      channel: ref('channels', address),
      messages: [ref('channels', address, 'messages', entry.desc.name)],
    },
  ])

const offsetGiven = {
  type: 'string',
  maxLength: 64,
  description: 'Last offset that the client received. Missed frames are sent first.',
}
const offsetOfFrame = {
  type: 'string',
  description: 'Offset of the frame, to send when joining again after a disconnect.',
}
const recovered = { type: 'boolean', description: 'True for a missed frame that is sent late.' }

function addExample(message: Schema | undefined, payload: unknown): void {
  if (message) message['examples'] = [{ payload }]
}

const sideOf = (desc: DescMessage): Side =>
  getOption(desc, frameOption).direction === Direction.CLIENT ? 'request' : 'answer'

/** Schema of a frame's data, and the name of its only field if it has one. */
function dataOf(desc: DescMessage, book: SchemaBook): [schema: Schema, name: string] {
  const dataField = desc.fields.find(({ name }) => name === getOption(desc, frameOption).dataField)
  return dataField ? [book.field(dataField, sideOf(desc)), dataField.jsonName] : [book.message(desc, sideOf(desc)), '']
}

/** The frame around its data. */
function frameMessage(desc: DescMessage, book: SchemaBook, comments: Comments): Schema {
  const { event, room, copiedTo, recoverable } = getOption(desc, frameOption)
  const rooms = [room, ...copiedTo].map(pattern => `\`${pattern}\``).join(', ')
  const data = dataOf(desc, book)[0]
  const id = { type: ['string', 'integer'], description: 'Id of a client frame, repeated in its answer.' }
  return withoutEmpty({
    name: event,
    title: event,
    summary: comments.get(desc.typeName),
    description: room ? `Sent to the room${copiedTo.length > 0 ? 's' : ''} ${rooms}.` : '',
    payload: {
      type: 'object',
      required: ['event'],
      properties: {
        event: { type: 'string', const: event },
        data,
        id,
        ...(recoverable ? { offset: offsetGiven } : {}),
        ...(room ? { offset: offsetOfFrame, recovered } : {}),
      },
    },
  })
}

const socketServer = (name: RestService): Schema => ({
  host: `127.0.0.1:${listeners[name].port}`,
  protocol: 'ws',
  pathname: '/ws',
  description: `Sockets of the ${listeners[name].health}; the access token is sent in \`Authorization\`, \`?token=\`, or an auth frame.`,
})

const carriedBy = (name: RestService, frames: DescMessage[]): DescMessage[] =>
  frames.filter(desc => getOption(desc, frameOption).services.includes(name))

const socketChannel = (name: RestService, frames: DescMessage[]): Schema => ({
  address: '/',
  messages: Object.fromEntries(
    carriedBy(name, frames).map(desc => [desc.name, ref('components', 'messages', desc.name)]),
  ),
  servers: [ref('servers', `${name}Sockets`)],
})

const socketOperations = (name: RestService, frames: DescMessage[]): [string, Schema][] =>
  carriedBy(name, frames).map(desc => {
    const { event, direction } = getOption(desc, frameOption)
    const action = direction === Direction.SERVER ? 'send' : 'receive'
    const channel = `${name}Sockets`
    const messages = [ref('channels', channel, 'messages', desc.name)]
    return [`${name} ${action} ${event}`, { action, channel: ref('channels', channel), messages }]
  })
