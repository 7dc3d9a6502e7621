import type { DescField, DescFile, DescMessage } from '@bufbuild/protobuf'
import type { EventEntities, NamedEntity } from '../../services/kernel/bus/event-option.ts'
import type { SourceFile } from '../sources.ts'
import { type EventEntry, eventEntries } from './events/catalogue.ts'
import type { Comments } from './openapi/comments.ts'
import { valuesOf } from './openapi/constraints.ts'

/** Text of docs/events.md: every event of the bus, from events/v1 and from its uses in the code. */
export function eventsText(files: DescFile[], sources: SourceFile[], comments: Comments): string {
  const entries = eventEntries(files, sources)
  const rows = entries.map(({ event, emitters, template, frames }) => [
    `[\`${event.type}\`](#${anchor(event.type)})`,
    `\`${event.key}\``,
    emitters.join(', '),
    template === undefined ? '' : `\`${template}\``,
    [...new Set(frames.map(frame => `\`${frame.event}\``))].join(', '),
    event.webhooks ? 'yes' : '',
  ])
  return `# Events

Written by \`npm run gen\` from \`proto/platform/events/v1/\`, the calls that emit, the templates of the notification
service and the rows of \`edge/live/feed.ts\`. \`npm run check\` fails when an event has no emitter, no template or no
entity, when the feed neither maps it to a frame nor excludes it, or when it doesn't say whether webhooks carry it.

Messages are JSON on NATS JetStream, in the stream of \`AMQP_EXCHANGE_NAME\`. Except for those marked bare, each is an
envelope: \`type\`, \`workspaceId\`, \`ecosystemId\`, \`workspaceName\`, \`payload\` (the fields below), \`channels\`,
\`metadata\` (\`timestamp\`, \`actor\`, \`receiverIds\`, \`occurrenceId\`) and \`priority\`. Those below
\`platform.notification.\` become notifications. A consumer retries after 1, 2 and 4 seconds, then dead-letters
the message: [runbook](guides/runbook.md#dead-letters). \`gen/asyncapi.json\` is the machine-readable form, with the socket frames.

${table(['Type', 'Key', 'Emitted by', 'Template', 'Frame', 'Webhooks'], rows)}

${entries.map(entry => section(entry, comments)).join('\n')}`
}

function section(entry: EventEntry, comments: Comments): string {
  const { desc, event, emitters, template, frames, entities } = entry
  const facts = [
    `Key \`${event.key}\`${event.aliases.map(alias => `, also \`${alias}\``).join('')}`,
    ...entitiesShown(entities),
    `emitted by ${emitters.join(', ') || 'no service'}`,
    ...(event.bare ? ['bare, without the envelope'] : []),
    template === undefined ? 'no notification' : `template \`${template}\``,
    ...(frames.length === 0 ? ['no frame'] : frames.map(frameText)),
    ...(event.webhooks ? ['sent to webhooks'] : []),
  ]
  const fields = desc.fields.map(field => [
    `\`${field.jsonName}\``,
    typeOf(field),
    comments.get(`${desc.typeName}.${field.name}`) ?? '',
  ])
  return `## ${event.type}

${comments.get(desc.typeName) ?? ''}

${facts.join('; ')}.

${table(['Field', 'Type', ''], fields)}
`
}

function entitiesShown({ entity, isDeletion, needs }: EventEntities): string[] {
  const entityPattern = ({ kind, field }: NamedEntity): string => `\`${kind}:{${field}}\``
  const parts = needs.length === 0 ? [] : [`silenced by the deletion of ${needs.map(entityPattern).join(', ')}`]
  return [`${isDeletion ? 'deletion of' : 'about'} ${entityPattern(entity)}`, ...parts]
}

const frameText = ({ event, rooms }: EventEntry['frames'][number]): string =>
  `frame \`${event}\` in ${rooms.map(room => `\`${room}\``).join(', ')}`

/** The anchor of a heading, as common Markdown servers build it. */
const anchor = (type: string): string => type.toLowerCase().replace(/[^\w-]/g, '')

function typeOf(field: DescField): string {
  const { fieldKind } = field
  const values = valuesOf(field)['enum'] as string[] | undefined
  const scalar = values?.map(shownValue).join(', ') ?? scalars.get(field.scalar ?? 0) ?? 'text'
  const one = field.message ? nameOf(field.message) : scalar
  const optional = fieldKind !== 'list' && fieldKind !== 'map' && isOptional(field) ? ' or null' : ''
  return fieldKind === 'list' ? `list of ${one}` : `${one}${optional}`
}

const shownValue = (value: string): string => (value === '' ? 'empty' : `\`${value}\``)

/** proto3 `optional`: an absent value is printed as null. */
const isOptional = (field: DescField): boolean => field.proto.proto3Optional

const scalars = new Map([
  [1, 'number'],
  [3, 'number'],
  [4, 'number'],
  [5, 'number'],
  [8, 'true or false'],
  [13, 'number'],
])

const wellKnown: Record<string, string> = {
  'google.protobuf.Timestamp': 'time',
  'google.protobuf.Struct': 'object',
  'google.protobuf.Value': 'anything',
}

/** A message is written out by its field names. */
const nameOf = (desc: DescMessage): string =>
  wellKnown[desc.typeName] ?? `object (${desc.fields.map(({ jsonName }) => `\`${jsonName}\``).join(', ')})`

const line = (cells: string[]): string =>
  `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
const table = (head: string[], rows: string[][]): string =>
  [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
