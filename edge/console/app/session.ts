import { answerOf, inTurn, sessionRequest, tokensOf } from '../../client/browser-session.ts'
import { PlatformError, platformClient } from '../../client/client.ts'
import { createStore } from '../../front/app/platform/store.ts'
import { notify } from '../../front/app/ui/feedback.tsx'
import * as format from './format.ts'

/** The user of the console. */
export type Operator =
  | { kind: 'starting' }
  /** Nobody is signed in; the error is why the last session ended or was refused. */
  | { kind: 'out'; error?: unknown }
  /** The session could not be checked, because the platform failed or did not answer. */
  | { kind: 'unknown'; error: unknown }
  /** The page of an expired session stays until its operator signs in again. */
  | { kind: 'in'; email: string; hasExpired: boolean }

type SessionAnswer = { accessToken: string; email: string }

export const operator = createStore<Operator>({ kind: 'starting' })

const send: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(15_000) })

/** The error of the last refresh, if it was neither 401 nor 403: the session may still be valid. */
let refreshError: unknown

/** The platform's REST routes that this port serves. The refresh token is in a cookie that no script can read. */
export const platform = platformClient({
  addresses: { auth: '', hotel: '', legacyauth: '', member: '', notification: '', payment: '' },
  fetch: send,
  // No retries: the next refresh of the page repeats a failed call.
  tries: 1,
  async refresh() {
    refreshError = undefined
    try {
      return tokensOf(await exchangeCookie())
    } catch (error) {
      // A 401 expires the session (onTokens); any other error may be temporary.
      if (statusOf(error) === 403) endSession(error)
      else if (statusOf(error) !== 401) refreshError = error
      throw error
    }
  },
  onTokens(tokens) {
    const current = operator.get()
    if (tokens === null && current.kind === 'in') operator.set({ ...current, hasExpired: true })
  },
})

/** The HTTP status of an error; 0 when the platform didn't answer. */
export const statusOf = (error: unknown): number => (error instanceof PlatformError ? error.status : 0)

/** The error to show for a failed call: for a 401 whose refresh failed, the error of that refresh. */
export const causeOf = (error: unknown): unknown => (statusOf(error) === 401 && refreshError ? refreshError : error)

/** How long the platform asks to wait after a 429, in ms. */
export const waitOf = (error: unknown): number =>
  ((error instanceof PlatformError ? error.retryAfterSeconds : undefined) ?? 60) * 1_000

/** An error as a sentence for the operator. */
export function messageOf(error: unknown): string {
  if (statusOf(error) === 0) return 'The platform is not responding.'
  if (statusOf(error) === 429) return `Too many requests. Try again in ${format.duration(waitOf(error))}.`
  return (error as Error).message || `The platform responded with status ${statusOf(error)}.`
}

/** All tabs share one session: a sign-out in one tab signs out the others. */
const tabs = new BroadcastChannel('console-session')
tabs.addEventListener('message', () => {
  if (operator.get().kind === 'in') endSession()
})

export async function signIn(email: string, password: string): Promise<void> {
  startSession(await exclusively(() => callSession('POST', '', { email, password })))
}

/** Resumes the session that the cookie holds. */
export async function resumeSession(): Promise<void> {
  try {
    const answer = await exchangeCookie()
    if (answer) startSession(answer)
    else endSession()
  } catch (error) {
    // The session may still be valid: an outage must not ask for a password.
    if (statusOf(error) === 401) endSession()
    else if (statusOf(error) === 403) endSession(error)
    else operator.set({ kind: 'unknown', error })
  }
}

/** Ends the session on the platform, then in every tab. After a failure it continues, and the operator is notified. */
export async function signOut(): Promise<void> {
  try {
    await exclusively(() => callSession('DELETE'))
  } catch (error) {
    return notify(`You are still signed in. ${messageOf(error)}`)
  }
  tabs.postMessage('out')
  endSession()
}

function startSession(answer: SessionAnswer | undefined): void {
  platform.keepTokens(tokensOf(answer))
  operator.set({ kind: 'in', email: answer?.email ?? '', hasExpired: false })
}

/** Ends the session in this tab; `error` is why the platform refused it. */
export function endSession(error?: unknown): void {
  operator.set({ kind: 'out', error })
  platform.keepTokens(null)
}

const exchangeCookie = () => exclusively(() => callSession('POST', '/refresh'))

const exclusively = <Value>(act: () => Promise<Value>): Promise<Value> => inTurn('console', act)

const callSession = async (method: string, path = '', body?: object) =>
  answerOf<SessionAnswer>(await send(`/console/session${path}`, sessionRequest('console', method, body)))

/** Reads a route that only the console has; a list in `query` repeats its parameter. */
export async function readConsole<Answer>(
  name: string,
  query: Record<string, string | number | string[] | undefined> = {},
): Promise<Answer> {
  const parameters = Object.entries(query).flatMap(([key, value]) => [value ?? []].flat().map(one => [key, `${one}`]))
  const path = `/console/api/${name}?${new URLSearchParams(parameters)}`
  const call = (token: string | undefined) => send(path, { headers: { authorization: `Bearer ${token ?? ''}` } })
  let response = await call(await platform.accessToken())
  const freshToken = response.status === 401 ? await platform.accessToken(true) : undefined
  if (freshToken) response = await call(freshToken)
  return (await answerOf<Answer>(response)) as Answer
}
