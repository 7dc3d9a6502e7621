import type { IncomingMessage, ServerResponse } from 'node:http'
import { requestIdFor } from '../../services/kernel/base/ids.ts'

/** The client's id of a request if it is well formed, or else a new one. */
export function requestIdFrom({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const clientId = headers['x-request-id']
  return requestIdFor(typeof clientId === 'string' ? clientId : undefined)
}

/**
 * Sets the headers that every answer has: the id of its request, and no-store, which files replace. The id replaces the
 * client's in the request, so that every later step finds the same one and logs get no arbitrary text.
 */
export function setAnswerHeaders(request: IncomingMessage, response: ServerResponse): void {
  const id = requestIdFrom(request)
  request.headers['x-request-id'] = id
  response.setHeader('X-Request-Id', id)
  response.setHeader('Cache-Control', 'no-store')
}
