import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RpcError } from '../../services/kernel/base/errors.ts'

/** How long to keep reading after the last answer, in ms: closing earlier would reset the connection and lose it. */
const lastReadMs = 1_000

/**
 * Answers on a bare socket, where there is no response object, in the form of REST errors, and closes it. Never
 * throws; a closed socket gets no answer.
 */
export function answerPlainly(
  socket: Duplex,
  error: RpcError,
  requestId: string,
  headers: Record<string, string> = {},
): void {
  const { status, class: name } = error.info
  const body = JSON.stringify({ statusCode: status, error: name, message: error.rawMessage, requestId })
  const allHeaders = {
    Connection: 'close',
    Date: new Date().toUTCString(),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...headers,
  }
  const lines = Object.entries(allHeaders).map(([key, value]) => `${key}: ${value}`)
  hangUp(socket, [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'))
}

/** Sends the last text of a connection, if any, and ends it. */
export function hangUp(socket: Duplex, text = ''): void {
  if (!socket.writable) {
    // If the socket is ending already, earlier data may still be in flight.
    if (!socket.writableEnded || socket.writableFinished) socket.destroy()
    return
  }
  // Without a listener, a reset would end the process.
  socket.on('error', () => undefined)
  const destroyTimer = setTimeout(() => socket.destroy(), lastReadMs)
  socket.once('close', () => clearTimeout(destroyTimer))
  socket.end(text)
  socket.resume()
}
