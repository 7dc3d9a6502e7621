import { inTurn, sessionRequest } from '../../../client/browser-session.ts'
import { basePath } from './place.ts'

/** Set while this device has a sign-in to resume: `yes` if it outlives the browser. */
export const stayKey = 'front.stays'
export const staysSignedIn = (): boolean => localStorage.getItem(stayKey) === 'yes'

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

/** Calls one of the session's routes. */
export const fetchSession = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${basePath}${path}`, sessionRequest('front', method, body))

/** The exchange of the session's cookie that the page sent while its other scripts loaded. */
type EarlyExchange = { earlyExchange?: Promise<Response> | undefined }

export function sendEarlyExchange(): void {
  const exchange = inTurn('front', () => fetchSession('POST', 'session/refresh', { reads: lastReads() }))
  exchange.catch(() => undefined)
  ;(globalThis as EarlyExchange).earlyExchange = exchange
}

/** The early exchange, for one caller. */
export function takeEarlyExchange(): Promise<Response> | undefined {
  const { earlyExchange } = globalThis as EarlyExchange
  ;(globalThis as EarlyExchange).earlyExchange = undefined
  return earlyExchange
}
