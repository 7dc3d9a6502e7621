import { frameOf, framesGoing } from '../../../edge/live/frames.ts'
import { Direction } from '../../../gen/platform/options/v1/options_pb.ts'
import type { EventEntities } from '../../../services/kernel/bus/event-option.ts'
import type { Shown } from './frames.ts'

/** The rooms of each server frame, as its option writes them, by the frame's name. */
const patterns = new Map(
  framesGoing(Direction.SERVER)
    .map(frameOf)
    .map(({ event, room, copiedTo }) => [event, [room, ...copiedTo].filter(Boolean)]),
)

/** Rooms of an event's frames that the feed fills with another field than the option says, or with no id of their kind. */
export function roomGaps(frames: Shown[], entities: EventEntities): string[] {
  return frames.flatMap(({ event, rooms }) =>
    (patterns.get(event) ?? []).flatMap((pattern, at) => {
      const where = `the room ${pattern} of its frame ${event}`
      if (rooms[at] !== pattern) return [`${where} is filled as ${rooms[at]}`]
      const problem = roomProblem(pattern, entities)
      return problem ? [`${where}: ${problem}`] : []
    }),
  )
}

/** Problems with the rooms of frames that no event makes: services or the edge send them. */
export function strayRooms(fed: ReadonlySet<string>): string[] {
  return [...patterns].flatMap(([event, own]) =>
    own.flatMap(pattern => {
      const problem = fed.has(event) ? undefined : roomProblem(pattern)
      return problem ? [`${event}: the room ${pattern}: ${problem}`] : []
    }),
  )
}

/** What is wrong with a room: page:{…} takes the id of a page, so a field pageId, or the id of the event's own page. */
export function roomProblem(pattern: string, entities?: EventEntities): string | undefined {
  const [, kind = '', field = ''] = /^([a-z]+):\{(\w+)\}/.exec(pattern) ?? []
  if (field === '') return 'is not a room such as page:{pageId}'
  const isOwn = entities?.entity.kind === kind && entities.entity.field === field
  return isOwn || field === `${kind}Id` ? undefined : `${field} is not the id of a ${kind}`
}
