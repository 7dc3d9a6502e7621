import { basePath } from './place.ts'

/** Set while this device has a sign-in to resume: `yes` if it outlives the browser. */
export const stayKey = 'front.stays'
/** Set from a sign-out until the platform has received it. */
export const signOutKey = 'front.leaves'
const readsKey = 'front.reads'

/** What the page of this address read at its last start. */
export function lastReads(): string[] {
  const lastStart = JSON.parse(localStorage.getItem(readsKey) ?? '{}') as { page?: string; reads?: string[] }
  return (lastStart.page === location.href && lastStart.reads) || []
}

export const keepReads = (reads: string[]): void =>
  localStorage.setItem(readsKey, JSON.stringify({ page: location.href, reads }))

/** Calls one of the session's routes. A page that closes meanwhile still gets the cookie. */
export const fetchSession = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${basePath}${path}`, {
    method,
    keepalive: true,
    headers: {
      'x-requested-with': 'front',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

/** A refresh token works once, so the tabs of a browser exchange it one after the other. */
export const inTurn = <Value>(call: () => Promise<Value>): Promise<Value> =>
  navigator.locks ? (navigator.locks.request('front-session', call) as Promise<Value>) : call()

/** The exchange of the session's cookie that the page sent while its other scripts loaded. */
type EarlyExchange = { earlyExchange?: Promise<Response> | undefined }

export function sendEarlyExchange(): void {
  const exchange = inTurn(() => fetchSession('POST', 'session/refresh', { reads: lastReads() }))
  exchange.catch(() => undefined)
  ;(globalThis as EarlyExchange).earlyExchange = exchange
}

/** The early exchange, for one caller. */
export function takeEarlyExchange(): Promise<Response> | undefined {
  const { earlyExchange } = globalThis as EarlyExchange
  ;(globalThis as EarlyExchange).earlyExchange = undefined
  return earlyExchange
}
