import type { Connection } from './connection.ts'

/** Which sockets of a listener are in which room. */
export type Rooms = {
  in(room: string): ReadonlySet<Connection>
  join(room: string, connection: Connection): void
  leave(room: string, connection: Connection): void
  readonly count: number
}

const nobody: ReadonlySet<Connection> = new Set()

export function createRooms(): Rooms {
  const rooms = new Map<string, Set<Connection>>()
  return {
    in: room => rooms.get(room) ?? nobody,
    join(room, connection) {
      const sockets = rooms.get(room)
      if (sockets) sockets.add(connection)
      else rooms.set(room, new Set([connection]))
      connection.rooms.add(room)
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
