import { createClient } from '@connectrpc/connect'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { type AcceptInvitationRequest, InvitationService } from '../../gen/platform/auth/v1/invitations_pb.ts'
import { type LoginRequest, SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { bearerToken } from '../../services/kernel/access/authenticate.ts'
import type { AccessClaims } from '../../services/kernel/access/tokens.ts'
import { ForbiddenError } from '../../services/kernel/base/errors.ts'
import { limitsOf, publicLimits } from '../../services/kernel/rpc/door/size.ts'
import type { Host } from '../../services/kernel/rpc/host.ts'
import { pageSessionHeader } from '../../services/kernel/rpc/limits/limit-option.ts'
import { sendError } from '../http/errors.ts'
import { requestIdFrom } from '../http/request-id.ts'
import { readJson } from '../rest/body.ts'
import { rpcHeaders } from '../rest/credentials.ts'
import { requestMessage } from '../rest/request.ts'
import { type Route, routesOf } from '../rest/routes.ts'
import { answerReads, readsOf } from './first-reads.ts'

type BrowserSession = {
  /** Name of the page: the value of its X-Requested-With header, and the start of the cookie's name. */
  name: string
  /** Path of the routes. */
  path: string
  /** Public address of the page. A proxy in front may end TLS without being trusted. */
  address?: string
  /** Checks whom the page is for. A ForbiddenError ends the new session. */
  admit(accessToken: string): Promise<AccessClaims>
  /** Whether a refresh answers reads of the services below the page's address too. */
  answersReads?: boolean
  /** How long the cookie lives when the person asks to stay signed in, in ms; without it, until the browser closes. */
  keptMs?: number
}

type Tokens = { accessToken: string; refreshToken: string }
type StoredSession = { refreshToken: string; stays: boolean }
type Act = (request: Request, response: Response, headers: Record<string, string>) => Promise<void>

/** Limit of the addresses of a page's first reads, in bytes. */
const readsBytes = 50_000

const loginRoute = routeOf(routesOf(SignInService), 'Login')
const acceptRoute = routeOf(routesOf(InvitationService), 'AcceptInvitation')

/** The access token of a request. Service keys are not accepted here. */
export const tokenOf = ({ headers }: Request): string | undefined => bearerToken(headers.authorization ?? '')

/**
 * Sign-in, acceptance of an invitation, refresh and sign-out for a page. The page holds the access token in memory; the
 * refresh token is in a cookie that scripts can't read. Pages of other origins can't use these routes: their requests
 * lack the X-Requested-With header unless CORS allows it, and the pages' ports don't.
 */
export function browserSession(
  transportOf: Host['transport'],
  { name, path, address, admit, answersReads = false, keptMs }: BrowserSession,
): Router {
  const signIn = createClient(SignInService, transportOf(SignInService))
  const invitations = createClient(InvitationService, transportOf(InvitationService))
  const cookie = createCookie(`${name}_refresh`, { path, address, keptMs })
  const router = Router()

  const guardRoute =
    (act: Act): RequestHandler =>
    async (request, response) => {
      const requestId = requestIdFrom(request)
      try {
        if (request.headers['x-requested-with'] !== name)
          throw new ForbiddenError(`Only the ${name} may call this route`)
        await act(request, response, { ...rpcHeaders(request, requestId), [pageSessionHeader]: name })
      } catch (error) {
        sendError(response, error, requestId)
      }
    }

  /** Answers callers that `admit` accepts; otherwise ends the new session. */
  const answerTokens = async (
    [request, response, headers]: Parameters<Act>,
    { accessToken, refreshToken }: Tokens,
    stays: boolean,
    readExtraFields: (accessToken: string) => Promise<object> = async () => ({}),
  ) => {
    // The previous refresh token is spent: if the check fails temporarily, the next try needs this one.
    cookie.write(request, response, { refreshToken, stays })
    try {
      const { userId, email, exp } = await admit(accessToken)
      // Sends the cookie now: a page that is reloaded meanwhile resumes with it.
      response.type('json').flushHeaders()
      const extraFields = await readExtraFields(accessToken)
      response.end(JSON.stringify({ accessToken, expiresAt: exp * 1_000, userId, email, ...extraFields }))
    } catch (error) {
      if (!(error instanceof ForbiddenError)) throw error
      response.removeHeader('Set-Cookie')
      cookie.write(request, response, undefined)
      const logoutHeaders = { ...headers, authorization: `Bearer ${accessToken}` }
      await signIn.logout({ refreshToken }, { headers: logoutHeaders }).catch(() => undefined)
      throw error
    }
  }

  router.post(
    path,
    guardRoute(async (request, response, { authorization: _none, ...headers }) => {
      const { stays, message } = await formOf(loginRoute, request, response)
      const { requirePasswordChange, ...tokens } = await signIn.login(message as LoginRequest, { headers })
      await answerTokens([request, response, headers], tokens, stays, async () => ({ requirePasswordChange }))
    }),
  )

  router.post(
    `${path}/accept`,
    guardRoute(async (request, response, headers) => {
      const { stays, message } = await formOf(acceptRoute, request, response)
      const tokens = await invitations.acceptInvitation(message as AcceptInvitationRequest, { headers })
      await answerTokens([request, response, headers], tokens, stays)
    }),
  )

  router.post(
    `${path}/refresh`,
    guardRoute(async (request, response, { authorization: _none, ...headers }) => {
      const session = cookie.read(request)
      // No sign-in to resume. This is a normal answer, so that the browser logs no error.
      if (!session) return void response.status(204).end()
      const reads = answersReads ? readsOf(await readJson(request, response, limitsOf(readsBytes))) : []
      const tokens = await signIn.refreshToken({ refreshToken: session.refreshToken }, { headers })
      await answerTokens([request, response, headers], tokens, session.stays, async accessToken =>
        answersReads ? { reads: await answerReads(request, accessToken, reads) } : {},
      )
    }),
  )

  router.delete(
    path,
    guardRoute(async (request, response, headers) => {
      const session = cookie.read(request)
      // Without an access token too, as after a failed refresh: the refresh token alone ends the session.
      if (session) await signIn.logout({ refreshToken: session.refreshToken }, { headers })
      // Only now: a failed sign-out is repeated, and needs the cookie.
      cookie.write(request, response, undefined)
      response.status(204).end()
    }),
  )
  return router
}

function routeOf(routes: Route[], name: string): Route {
  const matchingRoute = routes.find(route => route.method.name === name)
  if (!matchingRoute) throw new Error(`${name} has no route`)
  return matchingRoute
}

/** The message of a form, checked as on the documented route, and whether the person asks to stay signed in. */
async function formOf(route: Route, request: Request, response: Response) {
  const body = await readJson(request, response, publicLimits)
  const { staySignedIn, ...form } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return { stays: staySignedIn === true, message: requestMessage(route, [], '', form) }
}

type Cookie = { path: string; address: string | undefined; keptMs: number | undefined }

/**
 * A cookie that scripts can't read. Over TLS it has a `__Host-` name, which binds it to this host; without TLS, as on a
 * developer's machine, a plain one. Its value starts with `s.` when it stays after the browser closes.
 */
function createCookie(name: string, { path, address, keptMs }: Cookie) {
  const isSecure = ({ secure, headers }: Request) => secure || (address ?? headers.origin ?? '').startsWith('https:')
  const nameFor = (request: Request) => (isSecure(request) ? `__Host-${name}` : name)
  return {
    /** Without a session to keep, the cookie expires at once. */
    write(request: Request, response: Response, session: StoredSession | undefined): void {
      const stays = session?.stays === true && keptMs !== undefined
      response.cookie(nameFor(request), session ? `${stays ? 's.' : ''}${session.refreshToken}` : '', {
        // A `__Host-` cookie requires the path /; scripts can't read it, and the routes require their header.
        path: isSecure(request) ? '/' : request.baseUrl + path,
        httpOnly: true,
        sameSite: 'strict',
        secure: isSecure(request),
        ...(session ? {} : { maxAge: 0 }),
        ...(stays ? { maxAge: keptMs } : {}),
      })
    },
    read(request: Request): StoredSession | undefined {
      const start = `${nameFor(request)}=`
      const cookiePair = (request.headers.cookie ?? '')
        .split(';')
        .map(pair => pair.trim())
        .find(pair => pair.startsWith(start))
      try {
        const value = cookiePair && decodeURIComponent(cookiePair.slice(start.length))
        if (!value) return undefined
        const stays = value.startsWith('s.')
        return { refreshToken: stays ? value.slice(2) : value, stays }
      } catch {
        return undefined
      }
    },
  }
}
