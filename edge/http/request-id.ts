import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import { requestIdFor } from '../../services/kernel/base/ids.ts'

/** The client's id of a request if it is well formed, or else a new one. */
export function requestIdFrom({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const clientId = headers['x-request-id']
  return requestIdFor(typeof clientId === 'string' ? clientId : undefined)
}

/** Like `requestIdFrom`, and sets the response header. */
export function requestIdOf(request: Request, response: Response): string {
  const id = requestIdFrom(request)
  response.setHeader('X-Request-Id', id)
  return id
}

/**
 * For requests whose headers are forwarded: puts the checked id into them, so that logs never hold arbitrary client
 * text.
 */
export const ownRequestId: RequestHandler = (request, response, next) => {
  request.headers['x-request-id'] = requestIdOf(request, response)
  next()
}
