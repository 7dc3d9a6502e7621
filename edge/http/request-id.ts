import type { IncomingMessage } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import { requestIdFor } from '../../services/kernel/base/ids.ts'

/** The client's id of a request if it is well formed, or else a new one. */
export function requestIdFrom({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const clientId = headers['x-request-id']
  return requestIdFor(typeof clientId === 'string' ? clientId : undefined)
}

/** Finds the id of a request like `requestIdFrom`, and sets it as a response header. */
export function setRequestId(request: Request, response: Response): string {
  const id = requestIdFrom(request)
  response.setHeader('X-Request-Id', id)
  return id
}

/** Replaces the client's id by the checked one, for requests that are forwarded: logs get no arbitrary text. */
export const replaceRequestId: RequestHandler = (request, response, next) => {
  request.headers['x-request-id'] = setRequestId(request, response)
  next()
}
