import type { IncomingMessage } from 'node:http'
import { Code } from '@connectrpc/connect'
import type { RequestHandler } from 'express'
import { RpcError } from '../../services/kernel/base/errors.ts'
import { sendError } from './errors.ts'
import { requestIdFrom } from './request-id.ts'

/** All verbs of the routes, as an Allow header. */
export const verbs = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/**
 * Throws for an HTTP/1.1 request without a Host header or with two (RFC 9112, 3.2). Node would answer the former
 * without a body, and accept the latter.
 */
export function requireHost({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined) throw malformedError('HTTP/1.1 requires a Host header')
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (isHost(rawHeaders[i])) count++
  if (count > 1) throw malformedError('There is more than one Host header')
}

const isHost = (name: string | undefined): boolean => name?.length === 4 && name.toLowerCase() === 'host'

/**
 * Refuses requests with an invalid head that Node accepts: no Host or two, an unknown expectation (417), `*` as path.
 * A refusal closes the connection. `OPTIONS *` is answered with the server's verbs (RFC 9110, 9.3.7).
 */
export const requireWellFormed: RequestHandler = (request, response, next) => {
  try {
    checkHead(request)
  } catch (error) {
    response.setHeader('Connection', 'close')
    return sendError(response, error, requestIdFrom(request))
  }
  if (request.url !== '*') return next()
  response.status(204).setHeader('Allow', verbs).end()
}

function checkHead(request: IncomingMessage): void {
  requireHost(request)
  const { expect } = request.headers
  if (expect !== undefined && !/(?:^|\W)100-continue(?:$|\W)/i.test(expect))
    throw new RpcError('ExpectationFailedError', 417, Code.InvalidArgument, 'Expect must be 100-continue')
  if (request.url === '*' && request.method !== 'OPTIONS')
    throw malformedError('The path * is only allowed for OPTIONS')
}

const malformedError = (message: string): RpcError =>
  new RpcError('ValidationError', 400, Code.InvalidArgument, message)

/** Clients of a proxy send absolute URLs (RFC 9112, 3.2.2); Express and the handshake expect paths. */
export const originForm = (url: string): string => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
