import { PlatformError } from './errors.ts'
import type { ClientTokens } from './tokens.ts'

/*
 * A page whose server holds the refresh token in a cookie, which scripts can't read. Its routes take requests with the
 * page's header only.
 */

/** A request to one of these routes. A page that closes meanwhile still gets the cookie. */
export const sessionRequest = (page: 'front' | 'console', method: string, body?: object): RequestInit => ({
  method,
  keepalive: true,
  headers: { 'x-requested-with': page, ...(body ? { 'content-type': 'application/json' } : {}) },
  ...(body ? { body: JSON.stringify(body) } : {}),
})

/** A refresh token works once, so the tabs of a browser exchange it one after the other. */
export const inTurn = <Value>(page: 'front' | 'console', call: () => Promise<Value>): Promise<Value> =>
  navigator.locks ? (navigator.locks.request(`${page}-session`, call) as Promise<Value>) : call()

/** The body of an answer; undefined for one without. Throws a PlatformError for a refusal. */
export async function answerOf<Answer>(response: Response): Promise<Answer | undefined> {
  if (!response.ok) throw new PlatformError(response, await response.json().catch(() => undefined))
  return response.status === 204 ? undefined : ((await response.json()) as Answer)
}

/** The client's token pair, without the refresh token. Throws a 401 without an answer. */
export function tokensOf(answer: { accessToken: string } | undefined): ClientTokens {
  if (!answer) throw new PlatformError(new Response(null, { status: 401 }), undefined)
  return { accessToken: answer.accessToken, refreshToken: '' }
}
