import { frameOf, framesGoing } from '../../../edge/live/frames.ts'
import { Direction } from '../../../gen/platform/options/v1/options_pb.ts'
import type { EventEntities } from '../../../services/kernel/bus/event-option.ts'
import type { CatalogueFrame } from './frames.ts'

/** The rooms of server frames, as their options write them, and the services of their ports, by frame name. */
const framePatterns = new Map(
  framesGoing(Direction.SERVER)
    .map(frameOf)
    .map(({ event, room, copiedTo, services }) => [event, { rooms: [room, ...copiedTo].filter(Boolean), services }]),
)

/** The services on whose ports sockets get into a room, by a client frame or by themselves (edge/live/sockets/). */
const portsByRoom: Readonly<Record<string, string[]>> = {
  'hotel:{}': ['hotel'],
  'member:{}': ['hotel', 'member', 'news', 'notification'],
  'page:{}': ['news'],
  'workspace:{}': ['member', 'news', 'notification'],
  'workspace:{}:presence': ['hotel', 'member', 'news', 'notification'],
  'workspace:{}:type:{}': ['news'],
}

/**
 * Rooms of an event's frames that the feed fills with another field than the option says, that hold no id of their
 * kind, or that a port of the frame doesn't have.
 */
export function roomGaps(frames: CatalogueFrame[], entities: EventEntities): string[] {
  return frames.flatMap(({ event, rooms }) => {
    const frameRooms = framePatterns.get(event)
    return (frameRooms?.rooms ?? []).flatMap((pattern, index) => {
      const place = `the room ${pattern} of its frame ${event}`
      if (rooms[index] !== pattern) return [`${place} is filled as ${rooms[index]}`]
      const problem = roomProblem(pattern, entities) ?? portProblem(pattern, frameRooms?.services ?? [])
      return problem ? [`${place}: ${problem}`] : []
    })
  })
}

/** Problems with the rooms of frames that no event makes: services or the edge send them. */
export function strayRooms(fed: ReadonlySet<string>): string[] {
  return [...framePatterns].flatMap(([event, { rooms, services }]) =>
    rooms.flatMap(pattern => {
      const problem = fed.has(event) ? undefined : (roomProblem(pattern) ?? portProblem(pattern, services))
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

/** A port that carries a frame of the room, but on which no socket gets into it. */
export function portProblem(pattern: string, services: string[]): string | undefined {
  const openServices = portsByRoom[pattern.replaceAll(/\{\w+\}/g, '{}')]
  if (!openServices) return 'no port has it: name its ports in `portsByRoom` of cli/generate/events/rooms.ts'
  const closedServices = services.filter(service => !openServices.includes(service))
  return closedServices.length > 0
    ? `no socket gets into it on the port of ${closedServices.join(', ')}, only of ${openServices.join(', ')}`
    : undefined
}
