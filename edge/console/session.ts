import { createClient } from '@connectrpc/connect'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { type LoginRequest, SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { Dialect } from '../../gen/platform/options/v1/options_pb.ts'
import { ForbiddenError } from '../../services/kernel/base/errors.ts'
import type { Host } from '../../services/kernel/rpc/host.ts'
import { sendError } from '../http/errors.ts'
import { requestIdOf } from '../http/request-id.ts'
import { readJson } from '../rest/body.ts'
import { rpcHeaders } from '../rest/credentials.ts'
import { requestMessage } from '../rest/request.ts'
import { routesOf } from '../rest/routes.ts'
import { admit, type Doors, tokenOf } from './access.ts'

type Tokens = { accessToken: string; refreshToken: string }

const path = '/console/session'
/**
 * Over TLS, a `__Host-` name, which binds the cookie to this host; without TLS, as on a developer's machine, a plain
 * one.
 */
const nameFor = ({ secure }: Request) => (secure ? '__Host-console_refresh' : 'console_refresh')
const login = routesOf(SignInService).find(route => route.method.name === 'Login')

/**
 * Sign-in, refresh and sign-out. The page holds the access token in memory; the refresh token is in a cookie that
 * scripts can't read and that is sent to these three routes only. Other pages of the same host can't use it: their
 * requests lack the header below unless CORS allows it, and this port doesn't.
 */
export function sessionRoutes(host: Doors & Pick<Host, 'transport'>): Router {
  const client = createClient(SignInService, host.transport(SignInService))
  const router = Router()

  const guarded =
    (act: (request: Request, response: Response, headers: Record<string, string>) => Promise<void>): RequestHandler =>
    async (request, response) => {
      const requestId = requestIdOf(request, response)
      try {
        if (request.headers['x-requested-with'] !== 'console')
          throw new ForbiddenError('Only the console may call this route')
        await act(request, response, rpcHeaders(request, requestId))
      } catch (error) {
        sendError(response, error, Dialect.UNSPECIFIED, requestId)
      }
    }

  /** Answers an administrator. A refused user leaves no session behind. */
  const answer = async (request: Request, response: Response, headers: Record<string, string>, tokens: Tokens) => {
    const { accessToken, refreshToken } = tokens
    // The previous refresh token is spent: if the check fails temporarily, the next try needs this one.
    keep(request, response, refreshToken)
    try {
      const claims = await admit(host, accessToken)
      response.setHeader('Cache-Control', 'no-store')
      response.json({ accessToken, expiresAt: claims.exp * 1_000, email: claims.email })
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error
      response.removeHeader('Set-Cookie')
      keep(request, response, '')
      const own = { ...headers, authorization: `Bearer ${accessToken}` }
      await client.logout({ refreshToken }, { headers: own }).catch(() => undefined)
      throw error
    }
  }

  router.post(
    path,
    guarded(async (request, response, { authorization: _none, ...headers }) => {
      if (!login) throw new Error('The sign-in RPC has no route')
      const body = await readJson(request, response, 4_000)
      const message = requestMessage(login, [], '', body) as LoginRequest
      await answer(request, response, headers, await client.login(message, { headers }))
    }),
  )

  router.post(
    `${path}/refresh`,
    guarded(async (request, response, { authorization: _none, ...headers }) => {
      const refreshToken = kept(request)
      // No sign-in to resume. This is a normal answer, so that the browser logs no error.
      if (!refreshToken) return void response.status(204).end()
      await answer(request, response, headers, await client.refreshToken({ refreshToken }, { headers }))
    }),
  )

  router.delete(
    path,
    guarded(async (request, response, headers) => {
      const refreshToken = kept(request)
      keep(request, response, '')
      if (refreshToken && tokenOf(request)) await client.logout({ refreshToken }, { headers })
      response.status(204).end()
    }),
  )
  return router
}

/** Expires with the browser, or at once when there is nothing to keep. */
function keep(request: Request, response: Response, value: string): void {
  response.cookie(nameFor(request), value, {
    // A `__Host-` cookie requires the path /; scripts can't read it, and the routes require their header.
    path: request.secure ? '/' : path,
    httpOnly: true,
    sameSite: 'strict',
    secure: request.secure,
    ...(value ? {} : { maxAge: 0 }),
  })
}

function kept(request: Request): string | undefined {
  const name = nameFor(request)
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map(pair => pair.trim())
    .find(pair => pair.startsWith(`${name}=`))
  try {
    return found && decodeURIComponent(found.slice(name.length + 1))
  } catch {
    return undefined
  }
}
