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
import {
  framesSubject,
  hotelRoom,
  memberRoom,
  pageRoom,
  presenceRoom,
  typeRoom,
  workspaceRoom,
} from '../../../services/kernel/base/live.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { belongsTo, joinRooms } from '../admission.ts'
import { frameOf, messageBytes } from '../frames.ts'
import { placeOf, type RecoveryAnswer } from '../history/recovery.ts'
import type { Hub } from '../hub.ts'
import type { CurrentRights, Identity } from '../people.ts'
import { leaveRooms } from '../rooms.ts'
import type { Connection } from './connection.ts'
import { admit, identify, loadCurrentRights } from './identity.ts'
import type { SocketLimits } from './limits.ts'

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
  run(hub: Hub, connection: Connection, message: Message, offset?: string): Promise<RecoveryAnswer | undefined>
}

type Run<Desc extends DescMessage> = (
  hub: Hub,
  connection: Connection,
  message: MessageShape<Desc>,
  identity: Identity,
  offset?: string,
) => Promise<RecoveryAnswer> | RecoveryAnswer

function authenticatedCommand<Desc extends DescMessage>(desc: Desc, run: Run<Desc>): Command {
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

const joinCommand = <Desc extends DescMessage>(desc: Desc, rooms: (message: MessageShape<Desc>) => string[]): Command =>
  authenticatedCommand(desc, (hub, connection, message, identity, offset) =>
    joinRooms(hub, connection, identity, distinct(rooms(message)), offset),
  )

const leaveCommand = <Desc extends DescMessage>(
  desc: Desc,
  rooms: (message: MessageShape<Desc>) => string[],
): Command =>
  authenticatedCommand(desc, (_hub, connection, message) => ({
    rooms: leaveRooms(connection, distinct(rooms(message))),
  }))

const typeRooms = ({ workspaceId, types }: { workspaceId: string; types: string[] }): string[] =>
  types.map(type => typeRoom(workspaceId, type))

/** Gives an authenticated socket a newer token of its owner. */
function renewToken(
  hub: Hub,
  connection: Connection,
  previousIdentity: Identity,
  identity: Identity,
): RecoveryAnswer | undefined {
  if (previousIdentity.personId !== identity.personId) {
    connection.close('unauthorized')
    return undefined
  }
  connection.identity = identity
  hub.presence.personChanged(identity.personId)
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
    const caller = await identify(hub, token, () => connection.isOpen()).catch((error: unknown) => {
      // A socket that fails to authenticate is closed, once the error frame with the reason has left.
      if (!connection.identity && error instanceof UnauthorizedError)
        setImmediate(() => connection.close('unauthorized'))
      if (!connection.identity && error instanceof ForbiddenError) setImmediate(() => connection.close('forbidden'))
      throw error
    })
    if (!connection.isOpen()) return undefined
    const answer = connection.identity
      ? renewToken(hub, connection, connection.identity, caller.identity)
      : admit(hub, connection, caller, offset)
    // Rights that changed during the check may have been looked up before.
    if (epoch !== hub.epoch) hub.recheck([caller.identity.personId])
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
function mayChangeSettings(rights: CurrentRights, hotelId: string): boolean {
  if (rights.isPlatform) return true
  const ecosystem = rights.access?.ecosystems.find(({ ecosystemId }) => ecosystemId === hotelId)
  if (ecosystem && (ecosystem.isOwner || ecosystem.role === 'owner' || ecosystem.role === 'admin')) return true
  const workspaces = rights.access?.workspaces.filter(({ ecosystemId }) => ecosystemId === hotelId) ?? []
  const slugs = [...(ecosystem?.permissions ?? []), ...workspaces.flatMap(({ permissions }) => permissions)]
  return slugs.includes('manage_settings') || slugs.includes('manage_ecosystem')
}

/** Limit of the changed settings in a frame, in bytes of JSON. */
const maxSettingsBytes = 16 * 1024

const settingsUpdated = authenticatedCommand(
  ChangedSettingsFrameSchema,
  async ({ host }, _connection, { data = {} }, { claims }) => {
    const hotelId = typeof data['hotelId'] === 'string' ? data['hotelId'].toLowerCase() : ''
    if (!isId(hotelId)) throw invalid('hotelId', 'must be the id of a hotel', 'string.pattern')
    if (Buffer.byteLength(JSON.stringify(data)) > maxSettingsBytes)
      throw invalid('data', `must not exceed ${maxSettingsBytes} bytes`, 'string.max_bytes')
    const rights = await loadCurrentRights(host, claims)
    if (!rights || !belongsTo(rights, hotelId)) throw new ForbiddenError('Ecosystem access denied')
    if (!mayChangeSettings(rights, hotelId)) throw new ForbiddenError()
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
const joinPresence = authenticatedCommand(
  presence.JoinPresenceFrameSchema,
  async (hub, connection, { workspaceId }, identity) => {
    const answer = await joinRooms(hub, connection, identity, [presenceRoom(workspaceId)])
    const memberIds = hub.presence.list(workspaceId)
    if (connection.isOpen())
      hub.outgoing.add(connection, messageBytes(presence.PresenceListFrameSchema, { workspaceId, memberIds }))
    return answer
  },
)

const setPresence = authenticatedCommand(
  presence.SetPresenceFrameSchema,
  (hub, connection, { visible }, { personId }) => {
    connection.isHidden = !visible
    hub.presence.personChanged(personId)
    return { rooms: [] }
  },
)

const commandList: Command[] = [
  auth,
  ping,
  settingsUpdated,
  joinPresence,
  setPresence,
  leaveCommand(presence.LeavePresenceFrameSchema, ({ workspaceId }) => [presenceRoom(workspaceId)]),
  joinCommand(client.JoinHotelFrameSchema, ({ hotelId }) => [hotelRoom(hotelId)]),
  leaveCommand(client.LeaveHotelFrameSchema, ({ hotelId }) => [hotelRoom(hotelId)]),
  joinCommand(client.JoinWorkspacesFrameSchema, ({ workspaceIds }) => workspaceIds.map(workspaceRoom)),
  leaveCommand(client.LeaveWorkspacesFrameSchema, ({ workspaceIds }) => workspaceIds.map(workspaceRoom)),
  joinCommand(client.JoinMemberFrameSchema, ({ memberId }) => [memberRoom(memberId)]),
  leaveCommand(client.LeaveMemberFrameSchema, ({ memberId }) => [memberRoom(memberId)]),
  joinCommand(client.JoinWorkspaceFrameSchema, ({ workspaceId }) => [workspaceRoom(workspaceId)]),
  leaveCommand(client.LeaveWorkspaceFrameSchema, ({ workspaceId }) => [workspaceRoom(workspaceId)]),
  joinCommand(client.SubscribeToTypesFrameSchema, typeRooms),
  leaveCommand(client.UnsubscribeFromTypesFrameSchema, typeRooms),
  joinCommand(client.JoinPageFrameSchema, ({ pageId }) => [pageRoom(pageId)]),
  leaveCommand(client.LeavePageFrameSchema, ({ pageId }) => [pageRoom(pageId)]),
]

/** The reactions by the `event` of the client frame. */
export const commands: ReadonlyMap<string, Command> = new Map(
  commandList.map(command => [frameOf(command.desc).event, command]),
)

const largeFrames = commandList.map(({ desc }) => frameOf(desc)).filter(({ maxBytes }) => maxBytes > 0)

/** The size of the largest client frame of any kind. */
export const largestFrameBytes = ({ frameBytes }: SocketLimits): number =>
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
