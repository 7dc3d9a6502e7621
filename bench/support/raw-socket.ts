import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/*
 * WebSockets of a load: they share one read buffer and decode only the heads of frames, so that thousands fit into one
 * process. Pings are answered here.
 */

/** What a socket reports. */
export type Reports = {
  up(): void
  /** One frame; its body is in `data` until this returns. */
  frame(opcode: number, data: Buffer, from: number, to: number): void
  /** The connection is over, or was never up. */
  closed(reason: string): void
}

const opcodes = { text: 1, ping: 9, pong: 10 }

/** A client's frame. Its mask is zero, which leaves the body as it is. */
export function frameOf(body: string | Buffer, opcode = opcodes.text): Buffer {
  const bytes = Buffer.from(body)
  const isLong = bytes.length > 125
  const head = Buffer.alloc(isLong ? 8 : 6)
  head[0] = 0x80 | opcode
  head[1] = 0x80 | (isLong ? 126 : bytes.length)
  if (isLong) head.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([head, bytes])
}

/** Where the body of a frame begins; beyond the end while its head is incomplete. */
function bodyAt(data: Buffer, frameAt: number, end: number): number {
  if (end - frameAt < 2) return end + 1
  const short = (data[frameAt + 1] ?? 0) & 127
  return frameAt + (short < 126 ? 2 : short === 126 ? 4 : 10)
}

/** Length of the body of a frame with a complete head. */
function lengthOf(data: Buffer, frameAt: number): number {
  const short = (data[frameAt + 1] ?? 0) & 127
  if (short < 126) return short
  return short === 126 ? data.readUInt16BE(frameAt + 2) : Number(data.readBigUInt64BE(frameAt + 2))
}

/** The read buffer of every socket. */
const room = Buffer.alloc(65_536)
const nothing = Buffer.alloc(0)

export function openRaw(url: URL, reports: Reports, headers: Record<string, string>): Socket {
  let pending: Buffer = nothing
  let isUp = false
  let reason = 'closed before the upgrade'
  const read = (data: Buffer, end: number): void => {
    let position = 0
    if (!isUp) {
      const head = data.indexOf('\r\n\r\n')
      if (head < 0 || head >= end) return void (pending = Buffer.from(data.subarray(0, end)))
      if (!data.toString('latin1', 0, 12).endsWith('101')) {
        reason = data.toString('latin1', 0, Math.min(end, 200))
        return void socket.destroy()
      }
      isUp = true
      position = head + 4
      reports.up()
    }
    for (let body = bodyAt(data, position, end); body <= end; body = bodyAt(data, position, end)) {
      const to = body + lengthOf(data, position)
      if (to > end) break
      const opcode = (data[position] ?? 0) & 15
      if (opcode === opcodes.ping) socket.write(frameOf(data.subarray(body, to), opcodes.pong))
      else reports.frame(opcode, data, body, to)
      position = to
    }
    pending = position < end ? Buffer.from(data.subarray(position, end)) : nothing
  }
  const onread = {
    buffer: room,
    callback(bytes: number) {
      if (pending === nothing) read(room, bytes)
      else read(Buffer.concat([pending, room.subarray(0, bytes)]), pending.length + bytes)
      return true
    },
  }
  const socket = connect({ port: Number(url.port), host: url.hostname, onread })
  const lines = {
    Host: url.host,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.setNoDelay(true)
  socket.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${head.join('')}\r\n`)
  socket.on('error', error => (reason = error.message))
  socket.on('close', () => reports.closed(reason))
  return socket
}
