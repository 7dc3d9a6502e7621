import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

/*
 * What a team would write with socket.io 4: one room, WebSocket alone, no sign-in, one process. BENCH_PEERS names the
 * folder that it is installed in.
 */
type Socket = { join(room: string): void }
type Io = {
  on(event: 'connection', take: (socket: Socket) => void): void
  to(room: string): { emit(event: string, data: object): void }
}
type Library = { Server: new (server: object, options: object) => Io }

const { BENCH_PEERS = '', BENCH_SOCKETS = '0' } = process.env
const { Server } = createRequire(`${BENCH_PEERS}/`)('socket.io') as Library
const server = createServer()
const io = new Server(server, { transports: ['websocket'], serveClient: false })
io.on('connection', socket => socket.join('r'))
const filler = { id: 'a'.repeat(24), title: 'Weekly news', text: 'x'.repeat(170) }

/** Emits events, `size` at a time, the next when the last have been given to the sockets. */
process.on('message', ({ size, times }: { size: number; times: number }) => {
  const emit = (left: number): void => {
    for (let index = 0; index < size; index++) io.to('r').emit('news.created', filler)
    if (left > 1) setImmediate(emit, left - 1)
  }
  emit(times)
})
process.on('SIGTERM', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({
    url: `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`,
    headers: Array.from({ length: Number(BENCH_SOCKETS) }, () => ({})),
  })
})
