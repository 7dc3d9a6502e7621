import { createClient } from '@connectrpc/connect'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { Dialect } from '../../gen/platform/options/v1/options_pb.ts'
import { type LoginRequest, SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { ForbiddenError } from '../../services/kernel/base/errors.ts'
import type { Host } from '../../services/kernel/rpc/host.ts'
import { readJson } from '../rest/body.ts'
import { rpcHeaders } from '../rest/credentials.ts'
import { sendError } from '../http/errors.ts'
import { requestMessage } from '../rest/request.ts'
import { requestIdOf } from '../http/request-id.ts'
import { routesOf } from '../rest/routes.ts'
import { admit, type Doors, tokenOf } from './access.ts'

type Tokens = { accessToken: string; refreshToken: string }

const path = '/console/session'
/** Over TLS a name that browsers give to cookies of this very host alone; without it, as on one's own machine, a plain one. */
const nameFor = ({ secure }: Request) => (secure ? '__Host-console_refresh' : 'console_refresh')
const login = routesOf(SignInService).find(route => route.method.name === 'Login')

/**
 * Signing in, staying signed in and signing out. The page holds the access token in memory; the refresh token is in a
 * cookie that no script can read and that goes to these three routes alone. Other pages of the same host cannot use it:
 * their requests lack the header below unless CORS allows it, which this port does not.
 */
export function sessionRoutes(host: Doors & Pick<Host, 'transport'>): Router {
  const client = createClient(SignInService, host.transport(SignInService))
  const router = Router()

  const guarded =
    (act: (request: Request, response: Response, headers: Record<string, string>) => Promise<void>): RequestHandler =>
    async (request, response) => {
      const requestId = requestIdOf(request, response)
      try {
        if (request.headers['x-requested-with'] !== 'console') throw new ForbiddenError('Only the console asks here')
        await act(request, response, rpcHeaders(request, requestId))
      } catch (error) {
        sendError(response, error, Dialect.UNSPECIFIED, requestId)
      }
    }

  /** Answers an administrator; whoever may not stay leaves no session behind. */
  const answer = async (request: Request, response: Response, headers: Record<string, string>, tokens: Tokens) => {
    const { accessToken, refreshToken } = tokens
    // The token of before is spent: should the check fail for now, the next try needs this one.
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
      if (!login) throw new Error('signing in has no route')
      const body = await readJson(request, response, 4_000)
      const message = requestMessage(login, [], '', body) as LoginRequest
      await answer(request, response, headers, await client.login(message, { headers }))
    }),
  )

  router.post(
    `${path}/refresh`,
    guarded(async (request, response, { authorization: _none, ...headers }) => {
      const refreshToken = kept(request)
      // Nobody was signed in: that is an answer, and no fault in the browser's log.
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

/** Ends with the browser, or at once when there is nothing to keep. */
function keep(request: Request, response: Response, value: string): void {
  response.cookie(nameFor(request), value, {
    // A name of that kind asks for the whole host; scripts cannot read it, and the routes ask for their header.
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
