import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/*
 * Opens sockets, triggers events and counts the received frames, in a separate process, so that its cost isn't the
 * server's. It reads only the heads of frames, with one buffer for all sockets, so that thousands fit into one process.
 */

/** How an event is triggered: bytes for a server on this machine. */
export type Trigger = { host: string; port: number; hello: string; event: string }

/**
 * The benchmark's orders: open sockets; trigger events `times` times, `size` together, the next batch when one socket
 * has received all of the last, and report when all sockets have received everything.
 */
export type Order =
  | { open: { url: string; headers: Record<string, string>[]; engineIo: boolean } }
  | { say: Trigger; times: number; size: number }

/** Frames from this size on are events; smaller ones are greetings and pings. */
const eventBytes = 200
const atOnce = 100

let events = 0
let wanted = Number.POSITIVE_INFINITY
let sockets = 0
/** Events of the socket that has received most, and the number that triggers the next batch. */
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

/** Where the body of a frame begins; beyond the end while its head is incomplete. */
function bodyAt(data: Buffer, at: number, end: number): number {
  if (end - at < 2) return end + 1
  const short = (data[at + 1] ?? 0) & 127
  return at + (short < 126 ? 2 : short === 126 ? 4 : 10)
}

/** Length of the body of a frame with a complete head. */
function lengthOf(data: Buffer, at: number): number {
  const short = (data[at + 1] ?? 0) & 127
  if (short < 126) return short
  return short === 126 ? data.readUInt16BE(at + 2) : Number(data.readBigUInt64BE(at + 2))
}

/** The read buffer of every socket. */
const room = Buffer.alloc(65_536)
const nothing = Buffer.alloc(0)

/** Opens one socket; resolves once its server has accepted it. */
function open(url: URL, headers: Record<string, string>, engineIo: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest: Buffer = nothing
    let isUp = false
    let own = 0
    const answer = (opcode: number, body: Buffer): void => {
      if (opcode === 9) socket.write(textFrame(body.toString(), 10))
      // engine.io: 0 opens, 40 connects to the namespace and is answered, 2 is a ping.
      else if (engineIo && body[0] === 48) socket.write(textFrame('40'))
      else if (engineIo && body[0] === 52 && body[1] === 48) resolve()
      else if (engineIo && body[0] === 50) socket.write(textFrame('3'))
    }
    const read = (data: Buffer, end: number): void => {
      let at = 0
      if (!isUp) {
        const head = data.indexOf('\r\n\r\n')
        if (head < 0 || head >= end) return void (rest = Buffer.from(data.subarray(0, end)))
        if (!data.toString('latin1', 0, 12).endsWith('101')) return reject(new Error(data.toString('latin1', 0, 200)))
        isUp = true
        at = head + 4
        if (!engineIo) resolve()
      }
      for (let body = bodyAt(data, at, end); body <= end; body = bodyAt(data, at, end)) {
        const length = lengthOf(data, at)
        if (body + length > end) break
        if (length >= eventBytes) counted(++own)
        else answer((data[at] ?? 0) & 15, data.subarray(body, body + length))
        at = body + length
      }
      rest = at < end ? Buffer.from(data.subarray(at, end)) : nothing
    }
    const onread = {
      buffer: room,
      callback(bytes: number) {
        if (rest === nothing) read(room, bytes)
        else read(Buffer.concat([rest, room.subarray(0, bytes)]), rest.length + bytes)
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

/** A connection to the trigger's port. */
async function lineTo({ host, port, hello, event }: Trigger, together: number): Promise<() => void> {
  const line = connect(port, host)
  // The broker pings its clients.
  line.on('data', data => void (data.includes('PING') && line.write('PONG\r\n'))).setNoDelay(true)
  await once(line, 'connect')
  line.write(hello)
  const bytes = event.repeat(together)
  return () => void line.write(bytes)
}

async function sayAll({ say: trigger, times, size: together }: Extract<Order, { say: unknown }>): Promise<void> {
  size = together
  left = times
  say = await lineTo(trigger, size)
  wanted = events + left * size * sockets
  tell({ begun: true, cpu: process.cpuUsage() })
  next()
}

process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => void ('open' in order ? openAll(order.open) : sayAll(order)))
