import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/** The peer's message to sockets. */
export type News = { id: string; type: string; category: string; title: string; body: string; createdAt: Date }

type Socket = { handshake: { query: { member?: string } }; join(room: string): void }
type Io = {
  on(event: 'connection', take: (socket: Socket) => void): void
  to(rooms: string[]): { emit(event: string, data: object): void }
}
type Library = { Server: new (server: object, options: object) => Io }

/**
 * socket.io 4 in the worker's process, WebSocket only, without sign-in and without a bus: each socket names its member
 * and joins that member's room.
 * @param folder where it is installed
 */
export async function startSockets(folder: string): Promise<{ url: string; tell(ids: string[], news: News): void }> {
  const { Server } = createRequire(`${folder}/`)('socket.io') as Library
  const server = createServer()
  const io = new Server(server, { transports: ['websocket'], serveClient: false })
  io.on('connection', socket => socket.join(`member:${socket.handshake.query.member}`))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`,
    tell: (ids, news) => io.to(ids.map(id => `member:${id}`)).emit('notification:new', news),
  }
}
