import type { Audience } from './audience.ts'
import type { Connection } from './sockets/connection.ts'

/** Which sockets of a listener are in which room. */
export type Rooms = {
  in(room: string): ReadonlySet<Connection>
  /** The sockets of each room of an audience that has any. */
  among(audience: Audience): ReadonlySet<Connection>[]
  /** @param since place in the stream from which on the socket gets everything */
  join(room: string, connection: Connection, since: number): void
  leave(room: string, connection: Connection): void
  readonly count: number
}

const nobody: ReadonlySet<Connection> = new Set()

/** Rooms without anybody in them; one is there as long as somebody is in it. */
export function createRooms(): Rooms {
  const rooms = new Map<string, Set<Connection>>()
  return {
    in: room => rooms.get(room) ?? nobody,
    among(audience) {
      // A thousand rooms and one socket in them, or a million sockets and one room: the shorter list is gone through.
      if (rooms.size < audience.rooms.length)
        return [...rooms].flatMap(([room, sockets]) => (audience.has(room) ? [sockets] : []))
      return audience.rooms.flatMap(room => rooms.get(room) ?? [])
    },
    join(room, connection, since) {
      const sockets = rooms.get(room)
      if (sockets) sockets.add(connection)
      else rooms.set(room, new Set([connection]))
      connection.rooms.set(room, since)
    },
    leave(room, connection) {
      const sockets = rooms.get(room)
      sockets?.delete(connection)
      if (sockets?.size === 0) rooms.delete(room)
      connection.rooms.delete(room)
    },
    get count() {
      return rooms.size
    },
  }
}
