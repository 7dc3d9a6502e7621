import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer as createTcp } from 'node:net'

/*
 * What a team would write with socket.io 4: one room, WebSocket only, without sign-in, one process. BENCH_PEERS names
 * the folder that it is installed in.
 */
type Socket = { join(room: string): void }
type Io = {
  on(event: 'connection', take: (socket: Socket) => void): void
  to(room: string): { emit(event: string, data: object): void }
}
type Library = { Server: new (server: object, options: object) => Io }

const { BENCH_PEERS = '' } = process.env
const { Server } = createRequire(`${BENCH_PEERS}/`)('socket.io') as Library
const server = createServer()
const io = new Server(server, { transports: ['websocket'], serveClient: false })
io.on('connection', socket => socket.join('r'))
const filler = { id: 'a'.repeat(24), title: 'Weekly news', text: 'x'.repeat(170) }

/** Each received line is an event. */
const trigger = createTcp(line =>
  line.on('data', data => {
    for (const byte of data) if (byte === 10) io.to('r').emit('news.created', filler)
  }),
)
await new Promise<void>(resolve => trigger.listen(0, '127.0.0.1', resolve))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({
    trigger: { host: '127.0.0.1', port: (trigger.address() as AddressInfo).port, hello: '', event: '\n' },
    url: `ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`,
  })
})
