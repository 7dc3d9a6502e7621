import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Code } from '@connectrpc/connect'
import { PayloadTooLargeError, RpcError } from '../../services/kernel/base/errors.ts'
import { requestIdFor } from '../../services/kernel/base/ids.ts'
import { answerPlainly, hangUp } from './plain-answer.ts'
import { requestIdFrom } from './request-id.ts'
import { verbs } from './well-formed.ts'

/**
 * Answers requests that Node's parser refuses without calling a handler, in the documented form of errors: text that
 * isn't HTTP, headers that are too large, too many or too slow, broken chunked bodies, CONNECT. Call it before the
 * server listens.
 */
export function refuseUnreadable(server: Server): void {
  /** The latest answer of each connection, while later input may still concern it. */
  const latestResponse = new WeakMap<Duplex, ServerResponse>()
  const refusedSockets = new WeakSet<Duplex>()

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    latestResponse.set(socket, response)
    // An answered body may still break while the rest of it arrives.
    response.once('close', () => {
      if (request.complete && latestResponse.get(socket) === response) latestResponse.delete(socket)
    })
  })
  // An unknown expectation is checked with the rest of the request (well-formed.ts).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable) return hangUp(socket)
    // Further input on a closing connection is ignored.
    if (refusedSockets.has(socket)) return
    refusedSockets.add(socket)
    answerOnce(socket, refusalOf(error.code))
  })
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const error = new RpcError('MethodNotAllowedError', 405, Code.Unimplemented, 'CONNECT is not allowed here')
    answerPlainly(socket, error, requestIdFrom(request), { Allow: verbs })
  })

  /** Answers a refused request after earlier ones, unless it has been answered already. */
  function answerOnce(socket: Duplex, error: RpcError): void {
    const response = latestResponse.get(socket)
    if (!response || response.req.complete) {
      const answer = () => answerPlainly(socket, error, requestIdFor(undefined))
      return !response || hasEnded(response) ? answer() : void response.once('close', answer)
    }
    // From here on the body of the latest request is broken.
    if (hasEnded(response)) hangUp(socket)
    else if (response.writableEnded) response.once('close', () => hangUp(socket))
    else if (response.headersSent) socket.destroy()
    // Earlier requests of this connection are answered first.
    else if (!response.socket) response.once('socket', () => answerOnce(socket, error))
    else {
      response.statusCode = error.info.status
      answerPlainly(socket, error, requestIdFrom(response.req))
    }
  }
}

const hasEnded = (response: ServerResponse): boolean => response.writableFinished || response.destroyed

function refusalOf(code: string | undefined): RpcError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new RpcError(
      'RequestHeaderFieldsTooLargeError',
      431,
      Code.ResourceExhausted,
      'The headers are too large or too many',
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new RpcError('RequestTimeoutError', 408, Code.DeadlineExceeded, 'The headers arrived too slowly')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new PayloadTooLargeError()
  return new RpcError('ValidationError', 400, Code.InvalidArgument, 'The request is not well-formed HTTP')
}
