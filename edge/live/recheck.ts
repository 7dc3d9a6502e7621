import { RoomLeftFrameSchema } from '../../gen/platform/live/v1/connection_pb.ts'
import { allows } from './admission.ts'
import { messageBytes } from './frames.ts'
import type { Hub } from './hub.ts'
import { mayStay } from './page-rooms.ts'
import type { Standing } from './people.ts'
import { leave } from './rooms.ts'
import type { Connection } from './sockets/connection.ts'
import { joinOwnRooms, standingOf, workspacesOf } from './sockets/identity.ts'

const atOnce = 50
const retryMs = 1_000

/**
 * Lets `hub.recheck` apply current rights to sockets soon after a change: leaves rooms no longer allowed, joins new own
 * rooms, and closes sockets of people who no longer belong to any workspace or hotel.
 */
export function watchRights(hub: Hub): { stop(): void } {
  let everybody = false
  const owners = new Set<string>()
  let isRunning = false
  let retry: NodeJS.Timeout | undefined

  const due = (): Connection[] => {
    const connections = everybody ? [...hub.connections] : [...owners].flatMap(o => [...(hub.owners.get(o) ?? [])])
    everybody = false
    owners.clear()
    return connections
  }

  const run = async (): Promise<void> => {
    isRunning = true
    for (let list = due(); list.length > 0; list = due())
      for (let from = 0; from < list.length; from += atOnce)
        await Promise.all(list.slice(from, from + atOnce).map(connection => tryCheck(connection)))
    isRunning = false
  }

  const tryCheck = async (connection: Connection): Promise<void> => {
    try {
      await check(hub, connection)
    } catch (error) {
      // While rights can't be looked up, the socket stays and is checked again.
      hub.log.warn({ err: error }, 'socket permissions not checked; retrying')
      if (connection.identity) owners.add(connection.identity.owner)
      retry ??= setTimeout(() => {
        retry = undefined
        start()
      }, retryMs)
    }
  }

  const start = (): void => {
    if (!isRunning) void run()
  }

  hub.recheck = named => {
    hub.epoch++
    hub.host.rights.clear()
    if (named.length === 0) everybody = true
    for (const owner of named) owners.add(owner)
    start()
  }
  return {
    stop() {
      clearTimeout(retry)
      hub.recheck = () => {}
    },
  }
}

/** A person in no workspace and no ecosystem, and not suspended. A former member had more rooms than their own. */
const belongsNowhere = ({ access, isPlatform }: Standing): boolean =>
  !isPlatform && access?.workspaces.length === 0 && access.ecosystems.length === 0 && !access.isSuspended

async function check(hub: Hub, connection: Connection): Promise<void> {
  const { identity } = connection
  if (!identity) return
  // Finds a revocation that was missed while disconnected.
  if (!(await hub.host.accounts.isValid(identity.claims))) return connection.close('unauthorized')
  const standing = await standingOf(hub.host, identity.claims)
  if (!standing || (belongsNowhere(standing) && connection.given.size > 1)) return connection.close('unauthorized')
  if (!connection.isOpen()) return
  for (const room of connection.rooms.keys()) {
    if (allows(standing, identity.memberId, room, connection.pages) && (await mayStay(hub, identity, room))) continue
    leave(connection, [room])
    // A regained right rejoins its room.
    connection.given.delete(room)
    hub.outgoing.add(connection, messageBytes(RoomLeftFrameSchema, { room, reason: 'No longer allowed' }))
  }
  if (!connection.isOpen()) return
  joinOwnRooms(hub, connection, standing)
  const workspaceIds = workspacesOf(standing)
  const isInvisible = standing.access?.isInvisible ?? false
  if (workspaceIds.join() === identity.workspaceIds.join() && isInvisible === identity.isInvisible) return
  Object.assign(identity, { workspaceIds, isInvisible })
  hub.presence.changed(identity.owner)
}
