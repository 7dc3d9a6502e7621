import type { DescField, DescMessage } from '@bufbuild/protobuf'
import { ScalarType } from '@bufbuild/protobuf'
import { framesFor } from '../../../edge/live/feed.ts'
import { rightsChangedEvent } from '../../../edge/live/history/rights-since.ts'
import type { Event } from '../../../gen/platform/options/v1/options_pb.ts'

/** A frame as the catalogue shows it: its name and its rooms, with placeholders such as page:{pageId}. */
export type CatalogueFrame = { event: string; rooms: string[] }

/**
 * The frames that the feed makes of a sample event, whose texts are placeholders. So the catalogue shows what the code
 * does.
 */
export function framesOfEvent(desc: DescMessage, { type, key }: Event): CatalogueFrame[] {
  const body = {
    type,
    workspaceId: '{workspaceId}',
    payload: sampleOf(desc),
    channels: ['socket'],
    metadata: {
      timestamp: '1970-01-01T00:00:00Z',
      actor: { id: '{actorId}', name: '{actorName}', type: 'member' },
      receiverIds: ['{receiverId}'],
    },
  }
  // Leaves out the marker of changed rights, which is sent to no socket.
  const frames = framesFor(key, body).filter(({ event }) => event !== rightsChangedEvent)
  return frames.map(({ event, rooms }) => ({ event, rooms }))
}

const sampleOf = (desc: DescMessage): Record<string, unknown> =>
  Object.fromEntries(
    desc.fields.flatMap(field =>
      [valueOf(field)].filter(value => value !== undefined).map(value => [field.jsonName, value]),
    ),
  )

/** A sample value: a placeholder for a text or list of texts; undefined for a number, flag or time. */
function valueOf(field: DescField): unknown {
  if (field.fieldKind === 'list')
    return field.listKind === 'scalar' && isText(field) ? [placeholder(field).replace(/s}$/, '}')] : []
  if (field.fieldKind === 'scalar') return isText(field) ? placeholder(field) : undefined
  if (field.fieldKind !== 'message' || field.message.typeName.startsWith('google.')) return undefined
  return sampleOf(field.message)
}

const isText = ({ scalar }: DescField): boolean => scalar === ScalarType.STRING
const placeholder = ({ jsonName }: DescField): string => `{${jsonName}}`
