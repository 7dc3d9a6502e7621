/** The error of a call. kind: offline, token, limited, failed. seconds: how long the platform asks to wait. */
const problem = (kind, seconds = 0) => Object.assign(new Error(kind), { kind, seconds })

/**
 * Holds the access token for calls and the socket. Concurrent requests for a fresh one share it.
 * @param ask gets a token from the page.
 * @param mustRenew true when the last one was refused or expires soon
 */
export function tokenHolder(ask) {
  let held
  let asking
  return (mustRenew, refused) => {
    const isRenewed = refused !== undefined && refused !== held
    if (held && (!mustRenew || isRenewed)) return Promise.resolve(held)
    asking ??= new Promise(resolve => resolve(ask(mustRenew)))
      .then(token => {
        if (!token) throw problem('token')
        held = token
        return token
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }
}

const pause = seconds => new Promise(resolve => setTimeout(resolve, seconds * 1e3))

/** Calls documented routes. A refused token is replaced once; a short Retry-After is waited for. */
export function createCalls(base, tokens) {
  const send = async (method, path, body, token, tries) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const init = { method, headers, credentials: 'omit', cache: 'no-store', keepalive: method !== 'GET' }
    const response = await fetch(base + path, { ...init, ...(body ? { body: JSON.stringify(body) } : {}) }).catch(
      () => {
        throw problem('offline')
      },
    )
    if (response.ok) return response.json()
    if (response.status === 401 && tries === 0) return send(method, path, body, await renewed(token), 1)
    if (response.status === 401) throw problem('token')
    const seconds = Number(response.headers.get('retry-after')) || 0
    if (response.status !== 429 && response.status !== 503) throw problem('failed')
    // A limited call had no effect, so it can be retried.
    if (seconds > 3 || tries > 1) throw problem('limited', seconds || 5)
    await pause(seconds + Math.random())
    return send(method, path, body, token, tries + 1)
  }
  const noToken = error => {
    throw error.kind ? error : problem('token')
  }
  const renewed = token => tokens(true, token).catch(noToken)
  return async (method, path, body) => send(method, path, body, await tokens(false).catch(noToken), 0)
}
