import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'

const requestIdForm = /^[\w-]{1,64}$/

/** The id of a request: the client's own when it is well formed, else a new one. */
export function requestIdOf(request: Request, response: Response): string {
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID()
  response.setHeader('X-Request-Id', id)
  return id
}
