import type { Connection } from './sockets/connection.ts'

/** Takes the socket out of the rooms, and out of those of pages that are being looked at. @returns those it was in */
export function leave(connection: Connection, rooms: string[]): string[] {
  const left = rooms.filter(room => connection.rooms.has(room) || connection.pages?.has(room))
  for (const room of left) {
    connection.port.rooms.leave(room, connection)
    connection.pages?.delete(room)
  }
  return left
}
