import { type Operations, routes } from '../../gen/client/index.ts'
import { type CallOptions, type ClientRoute, type Input, requestOf } from './call.ts'
import { PlatformError } from './errors.ts'
import { type ClientTokens, tokenKeeper } from './tokens.ts'

export type { CallOptions } from './call.ts'
export { PlatformError } from './errors.ts'
export type { ClientTokens } from './tokens.ts'

export type ClientOptions = {
  /** Host of the documented ports, such as `http://127.0.0.1`. */
  host?: string
  /** Addresses of single services, instead of the host with the documented port. */
  addresses?: Partial<Record<keyof Operations, string>>
  /** Tokens of an earlier sign-in. */
  tokens?: ClientTokens
  /** Called with each new pair, to store it, and with null when the sign-in has ended. */
  onTokens?: (tokens: ClientTokens | null) => void
  /**
   * Exchanges spent tokens for fresh ones; by default over POST /auth/refreshToken. A page whose server holds the
   * refresh token asks that server. A PlatformError of status 401 ends the sign-in.
   */
  refresh?: (spent: ClientTokens) => Promise<ClientTokens>
  /** Key of a service, instead of a sign-in. */
  apiKey?: string
  /** Secret of an ecosystem credential, beside its key. */
  apiSecret?: string
  /** Longest Retry-After to wait for, in seconds (30); a longer one throws the error. */
  longestWaitSeconds?: number
  /** Maximum tries of one call, the first included (4). */
  tries?: number
  fetch?: typeof globalThis.fetch
}

/** Documented default port of each service; the same as in edge/config.ts. */
const ports: Record<keyof Operations, number> = {
  auth: 3000,
  member: 3001,
  hotel: 3002,
  media: 3003,
  news: 3004,
  notification: 3005,
  legacyauth: 3005,
  payment: 3006,
}

/** The platform's REST API as typed functions, with sign-in and sign-out. */
export type PlatformClient = Operations & {
  /** Signs in and keeps the tokens. Expired ones are refreshed once for all waiting calls. */
  signIn(credentials: { email: string; password: string }): Promise<void>
  /** Uses tokens obtained elsewhere, such as by accepting an invitation; null drops them. */
  keepTokens(tokens: ClientTokens | null): void
  /**
   * The access token, for sockets; undefined when nobody is signed in.
   * @param isRefused exchanges the current one first
   */
  accessToken(isRefused?: boolean): Promise<string | undefined>
  /** Ends the session. The tokens are dropped even when the platform is unreachable. */
  signOut(): Promise<void>
}

/** Pause before the first repetition of a call without an answer, in ms. Each further pause is twice as long. */
const firstPauseMs = 250

/**
 * A client of the platform's REST API. Every operation throws PlatformError on a refusal, and the error of `fetch` when
 * no answer arrives. Calls without an answer are retried after short pauses, refused ones (429, 503) after their
 * Retry-After, where that is safe: reads, replacements, deletions, and creations with an Idempotency-Key.
 */
export function platformClient(options: ClientOptions = {}): PlatformClient {
  const { host = 'http://127.0.0.1', fetch: send = globalThis.fetch, tries = 4, longestWaitSeconds = 30 } = options
  const origin = (name: keyof Operations) =>
    withoutSlash(options.addresses?.[name] ?? `${withoutSlash(host)}:${ports[name]}`)
  const keys: Record<string, string> = options.apiKey ? { 'x-api-key': options.apiKey } : {}
  if (options.apiSecret) keys['x-api-secret'] = options.apiSecret
  const refreshByRoute = async ({ refreshToken }: ClientTokens): Promise<ClientTokens> => {
    const response = await send(`${origin('auth')}/auth/refreshToken`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    })
    if (!response.ok) throw await failure(response)
    return (await response.json()) as ClientTokens
  }
  const keeper = tokenKeeper(options.tokens, options.onTokens, options.refresh ?? refreshByRoute)

  /** Sends a request. Reads a success to its end, before which the connection may break too. */
  async function sendWhole(route: ClientRoute, url: string, init: RequestInit): Promise<Response> {
    const response = await send(url, init)
    if (!response.ok || route.answer === 'stream') return response
    return new Response((await response.text()) || null, response)
  }

  async function call(service: keyof Operations, route: ClientRoute, input: Input = {}, callOptions: CallOptions = {}) {
    const key = route.keyed ? (callOptions.idempotencyKey ?? crypto.randomUUID()) : undefined
    const isSafe = route.isRepeatable || Boolean(key)
    let pauseMs = firstPauseMs
    let refreshed = false
    for (let triesLeft = tries - 1; ; triesLeft--) {
      // Built for each try, since a body can be read only once.
      const { path, init } = requestOf(route, input, key)
      const token = keeper.current()?.accessToken
      const headers = { ...(init.headers as Record<string, string>), ...keys }
      if (token) headers['authorization'] = `Bearer ${token}`
      const request = { ...init, headers, signal: callOptions.signal ?? null }
      let response: Response
      try {
        response = await sendWhole(route, `${origin(service)}${path}`, request)
      } catch (error) {
        if (triesLeft <= 0 || !isSafe || callOptions.signal?.aborted) throw error
        await pause(pauseMs, callOptions.signal)
        pauseMs *= 2
        continue
      }
      callOptions.onResponse?.(response)
      if (response.ok) return route.answer === 'stream' ? response : bodyOf(response)
      const refusal = await failure(response)
      const isExpired = refusal.status === 401 && token && !route.open && !refreshed
      if (isExpired && (await unlessAborted(keeper.refresh(token), callOptions.signal))) {
        refreshed = true
        continue
      }
      const wait = refusal.retryAfterSeconds
      if (triesLeft <= 0 || !isSafe || wait === undefined || wait > longestWaitSeconds) throw refusal
      await pause(wait * 1000, callOptions.signal)
    }
  }

  const operations = Object.fromEntries(
    Object.entries(routes).map(([service, serviceRoutes]) => [
      service,
      Object.fromEntries(
        Object.entries(serviceRoutes as Record<string, ClientRoute>).map(([name, route]) => {
          const takesInput = route.body !== 'none' || route.query.length > 0 || route.path.includes('{')
          return [
            name,
            (...callArguments: [Input?, CallOptions?]) =>
              takesInput
                ? call(service as keyof Operations, route, callArguments[0], callArguments[1])
                : call(service as keyof Operations, route, {}, callArguments[0] as CallOptions | undefined),
          ]
        }),
      ),
    ]),
  ) as Record<keyof Operations, object> as Operations

  return {
    ...operations,
    async signIn(credentials) {
      const { accessToken, refreshToken } = await operations.auth.login({ body: credentials })
      keeper.keep({ accessToken, refreshToken })
    },
    keepTokens: keeper.keep,
    async accessToken(isRefused = false) {
      const token = keeper.current()?.accessToken
      if (isRefused && token) await keeper.refresh(token)
      return keeper.current()?.accessToken
    },
    async signOut() {
      const refreshToken = keeper.current()?.refreshToken
      try {
        if (refreshToken) await operations.auth.logout({ body: { refreshToken } })
      } finally {
        keeper.keep(null)
      }
    },
  }
}

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  return text ? JSON.parse(text) : undefined
}

/** The error of a response. A body that isn't JSON, such as a proxy's, leaves status and text. */
const failure = async (response: Response): Promise<PlatformError> =>
  new PlatformError(response, await response.json().catch(() => undefined))

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const delay = new Promise<void>(resolve => {
    // Clients that were refused together come back one after another.
    timer = setTimeout(resolve, ms * (1 + Math.random() / 2))
  })
  return unlessAborted(delay, signal).finally(() => clearTimeout(timer))
}

/** Rejects as soon as the signal aborts. The underlying work goes on. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
