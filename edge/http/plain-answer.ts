import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { PlatformError } from '../../services/kernel/base/errors.ts'

/** What is still on its way when an answer is the last may come for so long: a reset would take the answer with it. */
const restMs = 1_000

/**
 * Answers on a bare socket, where there is no response to write to, in the body that REST answers with (decision 48), and
 * hangs up. Never throws: to who is gone nothing is said.
 */
export function answerPlainly(
  socket: Duplex,
  error: PlatformError,
  requestId: string,
  headers: Record<string, string> = {},
): void {
  const { status, class: name } = error.info
  const body = JSON.stringify({ statusCode: status, error: name, message: error.rawMessage, requestId })
  const all = {
    Connection: 'close',
    Date: new Date().toUTCString(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...headers,
  }
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}`)
  hangUp(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}

/** Says the last of a connection, if anything, and ends it. */
export function hangUp(socket: Duplex, text = ''): void {
  if (!socket.writable) {
    // Where an end is under way, what was said before it is still being sent.
    if (!socket.writableEnded || socket.writableFinished) socket.destroy()
    return
  }
  // Without a listener a reset would end the process.
  socket.on('error', () => undefined)
  const cut = setTimeout(() => socket.destroy(), restMs)
  socket.once('close', () => clearTimeout(cut))
  socket.end(text)
  socket.resume()
}
