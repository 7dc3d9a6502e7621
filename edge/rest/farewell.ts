import type { Response } from 'express'
import { Dialect } from '../../gen/platform/options/v1/options_pb.ts'
import type { Route } from './routes.ts'

/** Sets the headers that tell a client that a route will go; nothing on routes that stay. */
export type Farewell = (route: Route, response: Response) => void

/** Modern routes that do what a legacy route does (document 1, "Routes present in both versions"). */
const successors: Record<string, string> = {
  'POST /auth/login/{type}': '/auth/login',
  'POST /auth/loginAsAdmin': '/auth/login',
  'POST /auth/refresh': '/auth/refreshToken',
  'POST /auth/registerTemp': '/users/signUp',
  'POST /auth/invitation': '/invitations/send',
  'GET /user/profile': '/users/me',
  'GET /user/profileAsAdmin': '/users/me',
  'PUT /auth/change_mail': '/users/me',
  'POST /user/sentreset/email': '/password/forgot',
  'POST /user/reset_password/request': '/password/forgot',
  'PUT /user/change/Password': '/password/reset',
  'PUT /user/changePassword': '/password/change',
}

/**
 * Deprecation (RFC 9745), Sunset (RFC 8594) and the successor of each legacy route.
 * @param since first day of the deprecation, 2026-01-01
 * @param sunset last day of the routes
 */
export function farewells(since: string, sunset: string): Farewell {
  const deprecation = `@${Date.parse(since) / 1000}`
  const end = new Date(sunset).toUTCString()
  return ({ verb, path, rest }, response) => {
    if (rest.dialect !== Dialect.LEGACY) return
    response.setHeader('Deprecation', deprecation)
    response.setHeader('Sunset', end)
    const successor = successors[`${verb} ${path}`]
    if (successor) response.setHeader('Link', `<${successor}>; rel="successor-version"`)
  }
}
