import type { Transport } from '@connectrpc/connect'
import type { Request, Response } from 'express'
import type { Route } from './routes.ts'

/** One request to a route. */
export type RestCall = {
  route: Route
  values: string[]
  query: string
  transport: Transport
  request: Request
  response: Response
  requestId: string
  maxFileBytes: number
}
