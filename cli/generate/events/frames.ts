import type { DescField, DescMessage } from '@bufbuild/protobuf'
import { ScalarType } from '@bufbuild/protobuf'
import { framesFor } from '../../../edge/live/feed.ts'
import { rightsChangedEvent } from '../../../edge/live/history/rights-since.ts'
import type { Event } from '../../../gen/platform/options/v1/options_pb.ts'

/** A frame of an event: its name and its rooms, with the names of their variables. */
export type ShownFrame = { event: string; rooms: string[] }

/**
 * The frames that the feed makes of an event whose texts are all field names in braces, such as page:{pageId}. So the
 * catalogue shows what the code does.
 */
export function shownOf(desc: DescMessage, { type, key }: Event): ShownFrame[] {
  const body = {
    type,
    workspaceId: '{workspaceId}',
    payload: sample(desc),
    channels: ['socket'],
    metadata: {
      timestamp: '1970-01-01T00:00:00Z',
      actor: { id: '{actorId}', name: '{actorName}', type: 'member' },
      receiverIds: ['{receiverId}'],
    },
  }
  // A marker among the frames, which is sent to no socket.
  const frames = framesFor(key, body).filter(({ event }) => event !== rightsChangedEvent)
  return frames.map(({ event, rooms }) => ({ event, rooms }))
}

const sample = (desc: DescMessage): Record<string, unknown> =>
  Object.fromEntries(
    desc.fields.flatMap(field =>
      [valueOf(field)].filter(value => value !== undefined).map(value => [field.jsonName, value]),
    ),
  )

function valueOf(field: DescField): unknown {
  if (field.fieldKind === 'list')
    return field.listKind === 'scalar' && isText(field) ? [braces(field).replace(/s}$/, '}')] : []
  if (field.fieldKind === 'scalar') return isText(field) ? braces(field) : undefined
  if (field.fieldKind !== 'message' || field.message.typeName.startsWith('google.')) return undefined
  return sample(field.message)
}

const isText = ({ scalar }: DescField): boolean => scalar === ScalarType.STRING
const braces = ({ jsonName }: DescField): string => `{${jsonName}}`
