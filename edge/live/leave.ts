import type { Connection } from './connection.ts'

/** Takes the socket out of the rooms. @returns those it was in */
export function leave(connection: Connection, rooms: string[]): string[] {
  const left = rooms.filter(room => connection.rooms.has(room))
  for (const room of left) {
    connection.port.rooms.leave(room, connection)
    connection.pages.delete(room)
  }
  return left
}
