import { create, type DescMessage, type Message, type MessageShape } from '@bufbuild/protobuf'
import * as client from '../../../gen/platform/live/v1/client_pb.ts'
import { AuthFrameSchema, PingFrameSchema } from '../../../gen/platform/live/v1/connection_pb.ts'
import * as presence from '../../../gen/platform/live/v1/presence_pb.ts'
import { RoomFrameSchema } from '../../../gen/platform/live/v1/room_pb.ts'
import { ChangedSettingsFrameSchema, SettingsUpdatedFrameSchema } from '../../../gen/platform/live/v1/settings_pb.ts'
import {
  ForbiddenError,
  invalid,
  ServiceUnavailableError,
  UnauthorizedError,
} from '../../../services/kernel/base/errors.ts'
import { isId } from '../../../services/kernel/base/ids.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { belongsTo, join } from '../admission.ts'
import { frameOf, framesSubject, messageBytes } from '../frames.ts'
import { type Answer, placeOf } from '../history/recovery.ts'
import type { Hub } from '../hub.ts'
import type { Identity, Standing } from '../people.ts'
import { hotelRoom, memberRoom, pageRoom, presenceRoom, typeRoom, workspaceRoom } from '../room-names.ts'
import { leave } from '../rooms.ts'
import type { Connection } from './connection.ts'
import { admit, identify, standingOf } from './identity.ts'
import type { Limits } from './limits.ts'

/** The server's reaction to one client frame. */
export type Command = {
  desc: DescMessage
  /** Also allowed before authentication. */
  isOpenToAll: boolean
  /** Answers even without an id. */
  alwaysAnswers: boolean
  /**
   * @param offset the client's position, for frames that join
   * @returns the ack's data; undefined when the socket was closed
   */
  run(hub: Hub, connection: Connection, message: Message, offset?: string): Promise<Answer | undefined>
}

type Run<Desc extends DescMessage> = (
  hub: Hub,
  connection: Connection,
  message: MessageShape<Desc>,
  identity: Identity,
  offset?: string,
) => Promise<Answer> | Answer

function forKnown<Desc extends DescMessage>(desc: Desc, run: Run<Desc>): Command {
  return {
    desc,
    isOpenToAll: false,
    alwaysAnswers: false,
    async run(hub, connection, message, offset) {
      if (!connection.identity) throw new UnauthorizedError('Send an auth frame first')
      return run(hub, connection, message as MessageShape<Desc>, connection.identity, offset)
    },
  }
}

/** Each room once, however often a frame names it. */
const distinct = (rooms: string[]): string[] => [...new Set(rooms)]

const joins = <Desc extends DescMessage>(desc: Desc, rooms: (message: MessageShape<Desc>) => string[]): Command =>
  forKnown(desc, (hub, connection, message, identity, offset) =>
    join(hub, connection, identity, distinct(rooms(message)), offset),
  )

const leaves = <Desc extends DescMessage>(desc: Desc, rooms: (message: MessageShape<Desc>) => string[]): Command =>
  forKnown(desc, (_hub, connection, message) => ({ rooms: leave(connection, distinct(rooms(message))) }))

const typeRooms = ({ workspaceId, types }: { workspaceId: string; types: string[] }): string[] =>
  types.map(type => typeRoom(workspaceId, type))

/** Gives an authenticated socket a newer token of its owner. */
function renew(hub: Hub, connection: Connection, former: Identity, identity: Identity): Answer | undefined {
  if (former.owner !== identity.owner) {
    connection.close('unauthorized')
    return undefined
  }
  connection.identity = identity
  hub.presence.changed(identity.owner)
  return { rooms: [], ...placeOf(hub) }
}

const auth: Command = {
  desc: AuthFrameSchema,
  isOpenToAll: true,
  alwaysAnswers: false,
  async run(hub, connection, message, offset) {
    const { token } = message as MessageShape<typeof AuthFrameSchema>
    await hub.history.settled(offset)
    const { epoch } = hub
    const found = await identify(hub, token).catch((error: unknown) => {
      // A socket that fails to authenticate is closed, once the error frame with the reason has left.
      if (!connection.identity && error instanceof UnauthorizedError)
        setImmediate(() => connection.close('unauthorized'))
      if (!connection.identity && error instanceof ForbiddenError) setImmediate(() => connection.close('forbidden'))
      throw error
    })
    if (!connection.isOpen()) return undefined
    const answer = connection.identity
      ? renew(hub, connection, connection.identity, found.identity)
      : admit(hub, connection, found, offset)
    // Rights that changed during the check may have been looked up before.
    if (epoch !== hub.epoch) hub.recheck([found.identity.owner])
    return answer
  },
}

const ping: Command = {
  desc: PingFrameSchema,
  isOpenToAll: true,
  alwaysAnswers: true,
  run: async (hub, { identity }) => ({ rooms: [], ...(identity ? placeOf(hub) : {}) }),
}

/** manage_settings in a workspace of the hotel, or manage_ecosystem. */
function maySetUp(standing: Standing, hotelId: string): boolean {
  if (standing.isPlatform) return true
  const own = standing.access?.ecosystems.find(({ ecosystemId }) => ecosystemId === hotelId)
  if (own && (own.isOwner || own.role === 'owner' || own.role === 'admin')) return true
  const workspaces = standing.access?.workspaces.filter(({ ecosystemId }) => ecosystemId === hotelId) ?? []
  const slugs = [...(own?.permissions ?? []), ...workspaces.flatMap(({ permissions }) => permissions)]
  return slugs.includes('manage_settings') || slugs.includes('manage_ecosystem')
}

/** Limit of the changed settings in a frame, in bytes of JSON. */
const mostSettingsBytes = 16 * 1024

const settingsUpdated = forKnown(
  ChangedSettingsFrameSchema,
  async ({ host }, _connection, { data = {} }, { claims }) => {
    const hotelId = typeof data['hotelId'] === 'string' ? data['hotelId'].toLowerCase() : ''
    if (!isId(hotelId)) throw invalid('hotelId', 'must be the id of a hotel', 'string.pattern')
    if (Buffer.byteLength(JSON.stringify(data)) > mostSettingsBytes)
      throw invalid('data', `must not exceed ${mostSettingsBytes} bytes`, 'string.max_bytes')
    const standing = await standingOf(host, claims)
    if (!standing || !belongsTo(standing, hotelId)) throw new ForbiddenError('Ecosystem access denied')
    if (!maySetUp(standing, hotelId)) throw new ForbiddenError()
    const frame = create(RoomFrameSchema, {
      rooms: [hotelRoom(hotelId)],
      event: frameOf(SettingsUpdatedFrameSchema).event,
      data: { ...data, hotelId },
    })
    const isPublished = host.bus.store(framesSubject, JSON.stringify(toJson(RoomFrameSchema, frame)))
    if (!isPublished) throw new ServiceUnavailableError()
    return { rooms: [] }
  },
)

/** Joins the presence room of a workspace, and returns who is online. */
const joinPresence = forKnown(presence.JoinPresenceFrameSchema, async (hub, connection, { workspaceId }, identity) => {
  const answer = await join(hub, connection, identity, [presenceRoom(workspaceId)])
  const memberIds = hub.presence.list(workspaceId)
  if (connection.isOpen())
    hub.outgoing.add(connection, messageBytes(presence.PresenceListFrameSchema, { workspaceId, memberIds }))
  return answer
})

const setPresence = forKnown(presence.SetPresenceFrameSchema, (hub, connection, { visible }, { owner }) => {
  connection.hidden = !visible
  hub.presence.changed(owner)
  return { rooms: [] }
})

const all: Command[] = [
  auth,
  ping,
  settingsUpdated,
  joinPresence,
  setPresence,
  leaves(presence.LeavePresenceFrameSchema, ({ workspaceId }) => [presenceRoom(workspaceId)]),
  joins(client.JoinHotelFrameSchema, ({ hotelId }) => [hotelRoom(hotelId)]),
  leaves(client.LeaveHotelFrameSchema, ({ hotelId }) => [hotelRoom(hotelId)]),
  joins(client.JoinWorkspacesFrameSchema, ({ workspaceIds }) => workspaceIds.map(workspaceRoom)),
  leaves(client.LeaveWorkspacesFrameSchema, ({ workspaceIds }) => workspaceIds.map(workspaceRoom)),
  joins(client.JoinMemberFrameSchema, ({ memberId }) => [memberRoom(memberId)]),
  leaves(client.LeaveMemberFrameSchema, ({ memberId }) => [memberRoom(memberId)]),
  joins(client.JoinWorkspaceFrameSchema, ({ workspaceId }) => [workspaceRoom(workspaceId)]),
  leaves(client.LeaveWorkspaceFrameSchema, ({ workspaceId }) => [workspaceRoom(workspaceId)]),
  joins(client.SubscribeToTypesFrameSchema, typeRooms),
  leaves(client.UnsubscribeFromTypesFrameSchema, typeRooms),
  joins(client.JoinPageFrameSchema, ({ pageId }) => [pageRoom(pageId)]),
  leaves(client.LeavePageFrameSchema, ({ pageId }) => [pageRoom(pageId)]),
]

/** The reactions by the `event` of the client frame. */
export const commands: ReadonlyMap<string, Command> = new Map(
  all.map(command => [frameOf(command.desc).event, command]),
)

const largeFrames = all.map(({ desc }) => frameOf(desc)).filter(({ maxBytes }) => maxBytes > 0)

/** The size of the largest client frame of any kind. */
export const largestFrameBytes = ({ frameBytes }: Limits): number =>
  Math.max(frameBytes, ...largeFrames.map(({ maxBytes }) => maxBytes))

/** Whether a client frame has the size of its kind. */
export const isWithinSize = ({ limits }: Hub, { desc }: Command, data: Buffer): boolean =>
  data.length <= (frameOf(desc).maxBytes || limits.frameBytes)

/** The same before the frame is parsed: a large one must at least name a kind that may be as large. */
export const mayBeWithinSize = ({ limits }: Hub, { identity }: Connection, data: Buffer): boolean =>
  data.length <= limits.frameBytes ||
  (identity !== undefined &&
    largeFrames.some(({ event, maxBytes }) => data.length <= maxBytes && data.includes(`"${event}"`)))

/** Whether a port answers a client frame. Frames about the connection itself work on all ports. */
export const isAnsweredOn = ({ desc, isOpenToAll }: Command, services: ReadonlySet<string>): boolean =>
  isOpenToAll || frameOf(desc).services.some(service => services.has(service))
