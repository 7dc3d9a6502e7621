import type { Config } from '../config.ts'

/** Sets the headers that tell a client that a route will go. */
export type Farewell = (route: string, header: Headers) => void

/** Modern routes that do what a legacy route does (document 1, "Routes present in both versions"). */
const successors: Record<string, string> = {
  'POST /auth/login/:type': '/auth/login',
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

/** Deprecation (RFC 9745), Sunset (RFC 8594) and the successor of each route. */
export function farewells(config: Pick<Config, 'LEGACY_DEPRECATED_SINCE' | 'LEGACY_SUNSET'>): Farewell {
  const deprecation = `@${Date.parse(config.LEGACY_DEPRECATED_SINCE) / 1000}`
  const sunset = new Date(config.LEGACY_SUNSET).toUTCString()
  return (route, header) => {
    header.set('deprecation', deprecation)
    header.set('sunset', sunset)
    const successor = successors[route]
    if (successor) header.set('link', `<${successor}>; rel="successor-version"`)
  }
}
