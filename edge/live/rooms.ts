import type { Connection, Rooms } from './sockets/connection.ts'

const noConnections: ReadonlySet<Connection> = new Set()

/** An empty set of rooms. A room exists while it has sockets. */
export function createRooms(): Rooms {
  const rooms = new Map<string, Set<Connection>>()
  return {
    in: room => rooms.get(room) ?? noConnections,
    among(audience) {
      // Iterates over the shorter of the two lists.
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

/**
 * Removes the socket from the rooms, including pages whose rights are being checked.
 * @returns the rooms it was in
 */
export function leaveRooms(connection: Connection, rooms: string[]): string[] {
  const leftRooms = rooms.filter(room => connection.rooms.has(room) || connection.pages?.has(room))
  for (const room of leftRooms) {
    connection.port.rooms.leave(room, connection)
    connection.pages?.delete(room)
  }
  return leftRooms
}
