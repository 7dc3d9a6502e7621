import type { Response } from 'express'
import type { Route } from '../rest/routes.ts'

/** Sets the headers that announce the end of a legacy route. */
type Farewell = (route: Route, response: Response) => void

/** The modern successors of legacy routes (docs/contract.md). */
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

type Settings = {
  /** First day of the deprecation, 2026-01-01. */
  since: string
  /** Last day of the routes. */
  sunset: string
  /** Public address of the modern version, without a trailing slash: it has another port, or another host. */
  modernUrl: () => string
}

/**
 * Sets Deprecation (RFC 9745), Sunset (RFC 8594) and the absolute address of the successor of each legacy route.
 */
export function farewells({ since, sunset, modernUrl }: Settings): Farewell {
  const deprecation = `@${Date.parse(since) / 1000}`
  const end = new Date(sunset).toUTCString()
  return ({ verb, path }, response) => {
    response.setHeader('Deprecation', deprecation)
    response.setHeader('Sunset', end)
    const successor = successors[`${verb} ${path}`]
    if (successor) response.setHeader('Link', `<${modernUrl()}${successor}>; rel="successor-version"`)
  }
}
