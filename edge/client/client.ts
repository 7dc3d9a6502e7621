import { type Operations, routes } from '../../gen/client/index.ts'
import { type CallOptions, type Input, type Route, requestOf } from './call.ts'
import { PlatformError } from './errors.ts'
import { type Tokens, tokenKeeper } from './tokens.ts'

export { PlatformError } from './errors.ts'
export type { CallOptions } from './call.ts'
export type { Tokens } from './tokens.ts'

export type ClientOptions = {
  /** Host that the documented ports are on, such as `http://127.0.0.1`. */
  host?: string
  /** Addresses of single services in place of the host with their documented port. */
  addresses?: Partial<Record<keyof Operations, string>>
  /** Tokens of an earlier sign-in. */
  tokens?: Tokens
  /** Told of each new pair, to keep it; of null when the sign-in ended. */
  onTokens?: (tokens: Tokens | null) => void
  /** Key of a service, in place of a sign-in. */
  apiKey?: string
  /** Secret of an ecosystem credential, beside its key. */
  apiSecret?: string
  /** Longest wait that a Retry-After may ask for, in seconds; a longer one is answered with the error. 30 by default. */
  longestWaitSeconds?: number
  /** Tries of one call, the first included. 4 by default. */
  tries?: number
  fetch?: typeof globalThis.fetch
}

/** Where each service listens unless told otherwise, as the documents have it; the same as in edge/config.ts. */
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

/** The REST API of the platform as typed functions, with signing in and out. */
export type PlatformClient = Operations & {
  /** Signs in and keeps the tokens: refreshed when they expire, once for all calls that wait. */
  signIn(credentials: { email: string; password: string }): Promise<void>
  /** Ends the session; the tokens are forgotten even when the platform cannot be reached. */
  signOut(): Promise<void>
}

/**
 * A client of the platform's REST API; every operation throws PlatformError on a refusal. Refused calls (429, 503) are
 * sent again after the Retry-After where that cannot happen twice: reads, replacements, deletions, and creations under
 * an Idempotency-Key.
 */
export function platformClient(options: ClientOptions = {}): PlatformClient {
  const { host = 'http://127.0.0.1', fetch: send = globalThis.fetch, tries = 4, longestWaitSeconds = 30 } = options
  const origin = (name: keyof Operations) =>
    withoutSlash(options.addresses?.[name] ?? `${withoutSlash(host)}:${ports[name]}`)
  const keys: Record<string, string> = options.apiKey ? { 'x-api-key': options.apiKey } : {}
  if (options.apiSecret) keys['x-api-secret'] = options.apiSecret
  const keeper = tokenKeeper(options.tokens, options.onTokens, async refreshToken => {
    const response = await send(`${origin('auth')}/auth/refreshToken`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    })
    if (!response.ok) throw await failure(response)
    return (await response.json()) as Tokens
  })

  async function call(service: keyof Operations, route: Route, input: Input = {}, own: CallOptions = {}) {
    const key = own.idempotencyKey ?? (route.keyed ? crypto.randomUUID() : undefined)
    let refreshed = false
    for (let left = tries - 1; ; left--) {
      // Made anew for each try: a body may be read but once.
      const { path, init } = requestOf(route, input, key)
      const token = keeper.current()?.accessToken
      const headers = { ...(init.headers as Record<string, string>), ...keys }
      if (token) headers['authorization'] = `Bearer ${token}`
      const response = await send(`${origin(service)}${path}`, { ...init, headers, signal: own.signal ?? null })
      own.onResponse?.(response)
      if (response.ok) return route.answer === 'stream' ? response : bodyOf(response)
      const refusal = await failure(response)
      const isExpired = refusal.status === 401 && token && !route.open && !refreshed
      if (isExpired && (await unlessAborted(keeper.refresh(token), own.signal))) {
        refreshed = true
        continue
      }
      const wait = refusal.retryAfterSeconds
      const isSafe = route.repeatable || route.keyed
      if (left <= 0 || !isSafe || wait === undefined || wait > longestWaitSeconds) throw refusal
      await pause(wait * 1000, own.signal)
    }
  }

  const operations = Object.fromEntries(
    Object.entries(routes).map(([service, own]) => [
      service,
      Object.fromEntries(
        Object.entries(own as Record<string, Route>).map(([name, route]) => {
          const takesInput = route.body !== 'none' || route.query.length > 0 || route.path.includes('{')
          return [
            name,
            (...given: [Input?, CallOptions?]) =>
              takesInput
                ? call(service as keyof Operations, route, given[0], given[1])
                : call(service as keyof Operations, route, {}, given[0] as CallOptions | undefined),
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

/** The error of an answer; a body that is no JSON, such as a proxy's, leaves status and text. */
const failure = async (response: Response): Promise<PlatformError> =>
  new PlatformError(response, await response.json().catch(() => undefined))

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  return unlessAborted(over, signal).finally(() => clearTimeout(timer))
}

/** The same promise, which rejects as soon as the signal ends. What it waits for goes on. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
