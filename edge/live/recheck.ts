import { RoomLeftFrameSchema } from '../../gen/platform/live/v1/connection_pb.ts'
import { allowsRoom } from './admission.ts'
import { messageBytes } from './frames.ts'
import type { Hub } from './hub.ts'
import { mayStayInRoom } from './page-rooms.ts'
import type { CurrentRights, Identity } from './people.ts'
import { leaveRooms } from './rooms.ts'
import type { Connection } from './sockets/connection.ts'
import { joinOwnRooms, loadCurrentRights, workspacesOf } from './sockets/identity.ts'

const maxParallelChecks = 50
const retryMs = 1_000

/** Applies a change of these people's rights, or of everybody's when no person is named. */
export function applyRightsChange(hub: Hub, personIds: string[]): void {
  hub.epoch++
  hub.host.rights.evict()
  hub.recheck(personIds)
}

/**
 * Makes `hub.recheck` apply current rights to sockets: they leave rooms that are no longer allowed, join new automatic
 * rooms, and are closed when their person belongs to no workspace or hotel any more.
 */
export function watchRights(hub: Hub): { stop(): void } {
  let mustCheckAll = false
  const personIds = new Set<string>()
  const failedIds = new Set<string>()
  let isRunning = false
  let retry: NodeJS.Timeout | undefined

  const takeDueConnections = (): Connection[] => {
    const connections = mustCheckAll
      ? [...hub.connections]
      : [...personIds].flatMap(id => [...(hub.socketsByPerson.get(id) ?? [])])
    mustCheckAll = false
    personIds.clear()
    return connections
  }

  const runChecks = async (): Promise<void> => {
    isRunning = true
    for (let list = takeDueConnections(); list.length > 0; list = takeDueConnections())
      for (let from = 0; from < list.length; from += maxParallelChecks)
        await Promise.all(list.slice(from, from + maxParallelChecks).map(connection => tryCheck(connection)))
    isRunning = false
  }

  const tryCheck = async (connection: Connection): Promise<void> => {
    const { identity } = connection
    if (!identity) return
    try {
      await checkConnection(hub, connection, identity)
    } catch (error) {
      // While rights can't be looked up, the socket stays and is checked again after a pause.
      failedIds.add(identity.personId)
      retry ??= retryLater(error)
    }
  }

  const retryLater = (err: unknown): NodeJS.Timeout => {
    hub.log.warn({ err }, 'socket permissions not checked; retrying')
    return setTimeout(() => {
      retry = undefined
      const ids = [...failedIds]
      failedIds.clear()
      hub.recheck(ids)
    }, retryMs)
  }

  const startChecks = (): void => {
    if (!isRunning) void runChecks()
  }

  hub.recheck = ids => {
    if (ids.length === 0) mustCheckAll = true
    for (const id of ids) personIds.add(id)
    startChecks()
  }
  return {
    stop() {
      clearTimeout(retry)
      hub.recheck = () => {}
    },
  }
}

/** Whether a person is in no workspace and no ecosystem, and isn't suspended. */
const belongsNowhere = ({ access, isPlatform }: CurrentRights): boolean =>
  !isPlatform && access?.workspaces.length === 0 && access.ecosystems.length === 0 && !access.isSuspended

async function checkConnection(hub: Hub, connection: Connection, identity: Identity): Promise<void> {
  // Finds a revocation that was missed while disconnected.
  if (!(await hub.host.accounts.isValid(identity.claims))) return connection.close('unauthorized')
  const rights = await loadCurrentRights(hub.host, identity.claims)
  // More automatic rooms than their own show that the person was a member.
  if (!rights || (belongsNowhere(rights) && connection.automaticRooms.size > 1)) return connection.close('unauthorized')
  if (!connection.isOpen()) return
  for (const room of connection.rooms.keys()) {
    if (allowsRoom(rights, identity.memberId, room, connection.pages) && (await mayStayInRoom(hub, identity, room)))
      continue
    leaveRooms(connection, [room])
    // A regained right rejoins its room.
    connection.automaticRooms.delete(room)
    hub.outgoing.add(connection, messageBytes(RoomLeftFrameSchema, { room, reason: 'No longer allowed' }))
  }
  if (!connection.isOpen()) return
  joinOwnRooms(hub, connection, rights)
  const workspaceIds = workspacesOf(rights)
  const isInvisible = rights.access?.isInvisible ?? false
  if (workspaceIds.join() === identity.workspaceIds.join() && isInvisible === identity.isInvisible) return
  Object.assign(identity, { workspaceIds, isInvisible })
  hub.presence.personChanged(identity.personId)
}
