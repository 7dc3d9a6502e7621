import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/*
 * Opens sockets, has events said and counts the frames that come, in a process of its own: what it costs is not the server's.
 * It reads frames by their heads alone, out of one buffer for all sockets, so that thousands fit into one process.
 */

/** How an event is brought about: bytes for a local port. */
export type Trigger = { port: number; hello: string; event: string }

/**
 * What the benchmark asks: to open sockets; to have events said `times` times, `size` together, the next when one
 * socket has had all of the last, and to tell when all sockets have had all.
 */
export type Order =
  | { open: { url: string; headers: Record<string, string>[]; engineIo: boolean } }
  | { say: Trigger; times: number; size: number }

/** Frames of at least so many bytes are events; all others are greetings and signs of life. */
const eventBytes = 200
const atOnce = 100

let events = 0
let wanted = Number.POSITIVE_INFINITY
let sockets = 0
/** Events of the socket that has had most, and how many it has to have for the next to be said. */
let most = 0
let due = Number.POSITIVE_INFINITY
let left = 0
let size = 1
let say = (): void => undefined

const tell = (message: object): void => void process.send?.(message)
const next = (): void => {
  due = --left > 0 ? most + size : Number.POSITIVE_INFINITY
  say()
}
const counted = (own: number): void => {
  events++
  most = Math.max(most, own)
  if (most >= due) next()
  if (events < wanted) return
  wanted = Number.POSITIVE_INFINITY
  tell({ done: true, cpu: process.cpuUsage() })
}

/** A masked text frame of fewer than 126 bytes. */
function textFrame(text: string, opcode = 1): Buffer {
  const mask = randomBytes(4)
  const body = Buffer.from(text).map((byte, index) => byte ^ (mask[index & 3] ?? 0))
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | body.length]), mask, body])
}

/** Length of a frame's head and body; undefined while the head has not come. */
function sizeOf(data: Buffer, at: number): { head: number; body: number } | undefined {
  if (data.length - at < 2) return undefined
  const short = (data[at + 1] ?? 0) & 127
  if (short < 126) return { head: 2, body: short }
  const head = short === 126 ? 4 : 10
  if (data.length - at < head) return undefined
  return { head, body: short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2)) }
}

const room = Buffer.alloc(65_536)

/** Opens one socket; resolves once its server has let it in. */
function open(url: URL, headers: Record<string, string>, engineIo: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest = Buffer.alloc(0)
    let isUp = false
    let own = 0
    const take = (opcode: number, body: Buffer): void => {
      if (body.length >= eventBytes) counted(++own)
      else if (opcode === 9) socket.write(textFrame(body.toString(), 10))
      // engine.io: 0 opens, 40 connects to the namespace and is answered, 2 is a ping.
      else if (engineIo && body[0] === 48) socket.write(textFrame('40'))
      else if (engineIo && body[0] === 52 && body[1] === 48) resolve()
      else if (engineIo && body[0] === 50) socket.write(textFrame('3'))
    }
    const read = (chunk: Buffer): void => {
      const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let at = 0
      if (!isUp) {
        const end = data.indexOf('\r\n\r\n')
        if (end < 0) return void (rest = Buffer.from(data))
        if (!data.toString('latin1', 0, 12).endsWith('101')) return reject(new Error(data.toString('latin1', 0, 200)))
        isUp = true
        at = end + 4
        if (!engineIo) resolve()
      }
      for (let size = sizeOf(data, at); size; size = sizeOf(data, at)) {
        const { head: before, body } = size
        if (data.length < at + before + body) break
        take((data[at] ?? 0) & 15, data.subarray(at + before, at + before + body))
        at += before + body
      }
      rest = at < data.length ? Buffer.from(data.subarray(at)) : Buffer.alloc(0)
    }
    const onread = {
      buffer: room,
      callback(bytes: number) {
        read(room.subarray(0, bytes))
        return true
      },
    }
    const socket: Socket = connect({ port: Number(url.port), host: url.hostname, onread })
    const lines = {
      Host: url.host,
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Version': '13',
      ...headers,
    }
    const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
    const key = randomBytes(16).toString('base64')
    socket.setNoDelay(true)
    socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${head.join('')}Sec-WebSocket-Key: ${key}\r\n\r\n`)
    socket.on('error', reject)
    socket.on('close', () => (isUp ? tell({ closed: true }) : reject(new Error('closed before the upgrade'))))
  })
}

async function openAll({ url, headers, engineIo }: Extract<Order, { open: unknown }>['open']): Promise<void> {
  const began = performance.now()
  for (let from = 0; from < headers.length; from += atOnce)
    await Promise.all(headers.slice(from, from + atOnce).map(own => open(new URL(url), own, engineIo)))
  sockets += headers.length
  tell({ opened: performance.now() - began })
}

/** A line to whoever says the events. */
async function lineTo({ port, hello, event }: Trigger, together: number): Promise<() => void> {
  const line = connect(port, '127.0.0.1')
  // The broker asks whether its clients live.
  line.on('data', data => void (data.includes('PING') && line.write('PONG\r\n'))).setNoDelay(true)
  await once(line, 'connect')
  line.write(hello)
  const bytes = event.repeat(together)
  return () => void line.write(bytes)
}

process.on('message', async (order: Order) => {
  if ('open' in order) return openAll(order.open)
  size = order.size
  left = order.times
  say = await lineTo(order.say, size)
  wanted = events + left * size * sockets
  tell({ begun: true, cpu: process.cpuUsage() })
  next()
})
