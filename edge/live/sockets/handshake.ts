import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Code } from '@connectrpc/connect'
import { bearerToken } from '../../../services/kernel/access/authenticate.ts'
import { ForbiddenError, RpcError } from '../../../services/kernel/base/errors.ts'
import { challengeOf, retryAfterOf } from '../../http/errors.ts'
import type { Origins } from '../../http/origins.ts'
import { answerPlainly } from '../../http/plain-answer.ts'
import { requestIdFrom } from '../../http/request-id.ts'
import { originForm } from '../../http/well-formed.ts'

/** Subprotocol by which a browser sends its token: `bearer, <token>`. */
export const bearerProtocol = 'bearer'

/** Never throws: everything after the host is treated as a path. */
const urlOf = ({ url = '' }: IncomingMessage): URL => new URL(`http://edge/${originForm(url).replace(/^\//, '')}`)

/** Whether a request with an Upgrade header asks for a WebSocket. */
export const wantsSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket'

/** The path of a handshake. */
export const pathOf = (request: IncomingMessage): string => urlOf(request).pathname

/**
 * The access token of a handshake: in a header, as a subprotocol or in the query; undefined without one.
 * @param takesQuery whether the query is accepted: URLs appear in logs along the way
 */
export function tokenOf(request: IncomingMessage, takesQuery = true): string | undefined {
  const { authorization } = request.headers
  if (authorization !== undefined) return bearerToken(authorization) ?? ''
  const protocols = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(protocol => protocol.trim())
  const bearerIndex = protocols.indexOf(bearerProtocol)
  if (bearerIndex >= 0) return protocols[bearerIndex + 1] ?? ''
  const inQuery = urlOf(request).searchParams.get('token') ?? undefined
  return inQuery === undefined || takesQuery ? inQuery : ''
}

/** A returning client's position; empty when it asks for the current one, undefined when it doesn't use offsets. */
export const offsetOf = (request: IncomingMessage): string | undefined =>
  urlOf(request).searchParams.get('offset')?.slice(0, 64)

/** Whether the socket must not make its owner appear online. */
export const isHidden = (request: IncomingMessage): boolean =>
  urlOf(request).searchParams.get('presence') === 'invisible'

/**
 * Refuses pages of foreign sites: throws a ForbiddenError unless the origin is absent, of the same host (on any port:
 * each service has its own) or listed.
 */
export function checkOrigin(request: IncomingMessage, origins: Origins): void {
  const { origin, host = '' } = request.headers
  if (origin === undefined || origins === '*' || origins.has(origin)) return
  if (hostnameOf(origin) !== undefined && hostnameOf(origin) === hostnameOf(`http://${host}`)) return
  throw new ForbiddenError('Origin not allowed')
}

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

/** Answers a handshake in plain HTTP. */
export function refuse(socket: Duplex, error: RpcError, requestId: string): void {
  answerPlainly(socket, error, requestId, { ...challengeOf(error), ...retryAfterOf(error) })
}

/**
 * Refuses a handshake with an invalid form.
 * @param text names the header at fault, without its value
 */
export function refuseForm(socket: Duplex, text: string, request: IncomingMessage): void {
  const isGet = request.method === 'GET'
  const error = isGet
    ? new RpcError('ValidationError', 400, Code.InvalidArgument, text)
    : new RpcError('MethodNotAllowedError', 405, Code.Unimplemented, 'A WebSocket handshake must be a GET request')
  answerPlainly(socket, error, requestIdFrom(request), isGet ? { 'Sec-WebSocket-Version': '13' } : { Allow: 'GET' })
}
