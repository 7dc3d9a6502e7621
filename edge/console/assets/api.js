import { released } from './dom.js'
import * as format from './format.js'

/** The only place of the access token. The refresh token is in a cookie that no script can read. */
let access
let leave = () => undefined

/** A refusal or failure: its status, a sentence for the user, and for a 429 the time to wait, in ms. */
export class Refused extends Error {
  constructor(status, message, { requestId, waitMs } = {}) {
    super(message)
    this.status = status
    this.requestId = requestId
    this.waitMs = waitMs
  }
}

/** Called when the sign-in has ended, with the refusal that ended it, and whether the user wanted it. */
export const onSignedOut = act => {
  leave = act
}
export const who = () => access?.email ?? ''

/** All tabs share one sign-in: when one tab ends it, all end. */
const tabs = new BroadcastChannel('console-session')
tabs.addEventListener('message', () => {
  if (!access) return
  access = undefined
  leave(new Refused(401, 'You signed out in another tab.'), true)
})

async function session(method, path = '', body) {
  const headers = { 'x-requested-with': 'console' }
  if (body) headers['content-type'] = 'application/json'
  const response = await reach(`/console/session${path}`, { method, headers, body: body && JSON.stringify(body) })
  return answered(response)
}

export async function signIn(email, password) {
  access = await exclusively(() => session('POST', '', { email, password }))
}

/** Resumes the earlier sign-in; false without one. */
export async function resume() {
  try {
    await refresh()
    return access !== undefined
  } catch (error) {
    if (error.status === 401) return false
    throw error
  }
}

export async function signOut() {
  try {
    await exclusively(() => session('DELETE'))
    tabs.postMessage('out')
  } catch {
    // Without an answer the cookie may stay; its token expires by itself.
  } finally {
    access = undefined
  }
}

let refreshing
function refresh() {
  const exchange = async () => {
    access = await session('POST', '/refresh')
  }
  refreshing ??= exclusively(exchange).finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/**
 * One change of the cookie at a time over all tabs: a refresh token is single-use, and a failed refresh deletes the
 * cookie.
 */
const exclusively = act => (navigator.locks ? navigator.locks.request('console-session', act) : act())

/** Calls a route and returns its body. Throws {@link Refused}. */
export async function call(method, path, body) {
  try {
    if (!access || access.expiresAt < Date.now() + 20_000) await refresh()
    const first = await ask(method, path, body)
    if (first.status !== 401) return await answered(first)
    await refresh()
    return await answered(await ask(method, path, body))
  } catch (error) {
    const isOver = error.status === 401 || (error.status === 403 && /console is for/.test(error.message))
    if (isOver) {
      access = undefined
      leave(error)
    }
    throw error
  }
}

/**
 * Reads a route; a list in `query` repeats its parameter. The result waits while a pointer is pressed, so that elements
 * don't move before the click.
 */
export async function get(path, query = {}) {
  const given = Object.entries(query)
    .flatMap(([name, value]) => [value].flat().map(one => [name, one]))
    .filter(([, value]) => value !== undefined && value !== '' && value !== null)
  const answer = await call('GET', given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path)
  await released()
  return answer
}

function ask(method, path, body) {
  const headers = { authorization: `Bearer ${access.accessToken}` }
  if (body) headers['content-type'] = 'application/json'
  return reach(path, { method, headers, body: body && JSON.stringify(body) })
}

async function reach(path, init) {
  try {
    return await fetch(path, { ...init, signal: AbortSignal.timeout(15_000) })
  } catch {
    throw new Refused(0, 'The platform is not responding.')
  }
}

async function answered(response) {
  const body = await response.json().catch(() => undefined)
  if (response.ok) return body
  const requestId = response.headers.get('x-request-id')
  if (response.status === 429) {
    const waitMs = (Number(response.headers.get('retry-after')) || 60) * 1_000
    throw new Refused(429, `Too many requests. Try again in ${format.duration(waitMs)}.`, { requestId, waitMs })
  }
  const faults = Array.isArray(body?.error) ? body.error.map(one => `${one.path}: ${one.message}`).join('; ') : ''
  const text = faults || body?.message || `The platform responded with status ${response.status}.`
  throw new Refused(response.status, text, { requestId })
}
