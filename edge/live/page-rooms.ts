import { createClient } from '@connectrpc/connect'
import { RoomLeftFrameSchema } from '../../gen/platform/live/v1/connection_pb.ts'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { toRpcError } from '../../services/kernel/base/errors.ts'
import { pageRoom } from '../../services/kernel/base/live.ts'
import { messageBytes } from './frames.ts'
import { enterRooms, placeOf } from './history/recovery.ts'
import type { Hub, LiveHost } from './hub.ts'
import type { Identity } from './people.ts'
import { leaveRooms } from './rooms.ts'

const timeoutMs = 5_000
const maxParallelChecks = 50

/** The workspace of a page that the person may read; otherwise the news service's NotFoundError. */
export async function workspaceOfPage(host: LiveHost, token: string, id: string): Promise<string> {
  const client = createClient(PageService, host.transport(PageService))
  const options = { headers: { authorization: `Bearer ${token}` }, timeoutMs }
  return (await client.checkPageAccess({ id }, options)).workspaceId
}

/**
 * Whether a person may stay in the room of a page: only a refusal of the news service says no. True for other rooms.
 */
export async function mayStayInRoom({ host }: Hub, { token }: Identity, room: string): Promise<boolean> {
  if (!room.startsWith(pageRoom(''))) return true
  const status = await workspaceOfPage(host, token, room.slice(pageRoom('').length)).then(
    () => 200,
    (error: unknown) => toRpcError(error).info.status,
  )
  // An expired token says nothing about its owner's rights.
  return status !== 403 && status !== 404
}

/**
 * Removes people who may no longer read a page from its room; its author and editors stay. Frames wait until the check
 * is done, and are then sent to the people who stay.
 */
export async function recheckPage(hub: Hub, pageId: string): Promise<void> {
  const room = pageRoom(pageId)
  // Joins in progress are decided again.
  hub.epoch++
  const { offset } = placeOf(hub)
  const connections = hub.ports.flatMap(({ rooms }) => [...rooms.in(room)])
  // Out of the room, but still in `pages`: a socket that leaves meanwhile stays out.
  for (const connection of connections) connection.port.rooms.leave(room, connection)
  for (let from = 0; from < connections.length; from += maxParallelChecks)
    await Promise.all(
      connections.slice(from, from + maxParallelChecks).map(async connection => {
        const { epoch } = hub
        const { identity } = connection
        // A socket whose rights can't be checked leaves the room: it can join again.
        const workspaceId = identity && (await workspaceOfPage(hub.host, identity.token, pageId).catch(() => undefined))
        if (!connection.isOpen() || connection.rooms.has(room) || !connection.pages?.has(room)) return
        if (identity && workspaceId !== undefined) {
          enterRooms(hub, connection, [room], { offset, rightsSince: 0 })
          // Rights that changed during the check may have been looked up before.
          if (epoch !== hub.epoch) hub.recheck([identity.personId])
          return undefined
        }
        leaveRooms(connection, [room])
        return hub.outgoing.add(connection, messageBytes(RoomLeftFrameSchema, { room, reason: 'No longer allowed' }))
      }),
    )
}
