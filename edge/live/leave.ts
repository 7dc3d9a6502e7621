import type { Connection } from './sockets/connection.ts'

/**
 * Removes the socket from the rooms, including pages whose rights are being checked.
 * @returns the rooms it was in
 */
export function leave(connection: Connection, rooms: string[]): string[] {
  const left = rooms.filter(room => connection.rooms.has(room) || connection.pages?.has(room))
  for (const room of left) {
    connection.port.rooms.leave(room, connection)
    connection.pages?.delete(room)
  }
  return left
}
