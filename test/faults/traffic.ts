import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type { RestService } from '../../edge/catalogue.ts'
import type { World } from '../../cli/tour/world.ts'
import type { Attempt } from './load.ts'

export type Failure = { at: number; call: string; what: string }

export type Traffic = {
  /** What clients know of each comment they wrote; see verdict.ts. */
  attempts: Attempt[]
  failures: Failure[]
  requests(): number
  stop(): Promise<void>
}

type Call = { service: RestService; method: 'GET' | 'POST'; path: string; token: string; body?: unknown }

/** Requests that may be on their way at once: a platform that is slower than the traffic slows it down. */
const atOnce = 64

/**
 * Sends `rate` requests a second over kept connections, reads and writes of every service, and remembers each that was
 * not answered with a 2xx. Nothing is tried again. Idle connections are ended by the client after two seconds.
 */
export function startTraffic(world: World, rate: number): Traffic {
  const dispatcher = new Agent({ keepAliveTimeout: 2_000, keepAliveMaxTimeout: 2_000, connections: 32 })
  const attempts: Attempt[] = []
  const failures: Failure[] = []
  const running = new Set<Promise<void>>()
  const began = Date.now()
  let sent = 0
  let isRunning = true

  const send = async (number: number): Promise<void> => {
    const { service, method, path, token, body } = callOf(world, number)
    const content = (body as { content?: string } | undefined)?.content
    let what = ''
    try {
      const answer = await request(world.urls[service] + path, {
        dispatcher,
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        headersTimeout: 30_000,
      })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) what = `${answer.statusCode} ${text.slice(0, 200)}`
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      what = `${code ?? ''} ${message}`
    }
    if (content) attempts.push({ content, outcome: what === '' ? 'acknowledged' : 'unknown' })
    if (what !== '') failures.push({ at: Date.now() - began, call: `${method} ${path}`, what })
  }

  const sending = (async () => {
    while (isRunning) {
      const due = Math.floor(((Date.now() - began) * rate) / 1_000)
      while (sent < due && running.size < atOnce) {
        const one = send(sent++).finally(() => running.delete(one))
        running.add(one)
      }
      await sleep(5)
    }
    await Promise.all(running)
    await dispatcher.close()
  })()

  return {
    attempts,
    failures,
    requests: () => sent,
    async stop() {
      isRunning = false
      await sending
    },
  }
}

function callOf({ ids, tokens }: World, number: number): Call {
  const get = (service: RestService, path: string, token = tokens.colleague): Call => ({
    service,
    method: 'GET',
    path,
    token,
  })
  const post = (service: RestService, path: string, body: unknown): Call => ({
    service,
    method: 'POST',
    path,
    token: tokens.colleague,
    body,
  })
  const calls = [
    () => post('news', '/api/v1/comments', { pageId: ids['page'], content: `comment ${number}` }),
    () => get('news', `/api/v1/pages?workspaceId=${ids['workspace']}`),
    () => get('auth', '/users/me'),
    () => get('notification', '/api/v1/notifications?type=comment', tokens.admin),
    () => get('member', `/workspaces/get/${ids['workspace']}`),
    () => get('hotel', `/hotel/get/${ids['hotel']}`, tokens.root),
    () => get('news', `/api/v1/pages/${ids['page']}`),
    () => get('media', ids['picture'] ?? ''),
    () => get('notification', '/api/v1/notifications/unread-count'),
    () => get('payment', ids['customer'] ?? '', tokens.root),
  ]
  const chosen = calls[number % calls.length]
  if (!chosen) throw new Error('there is nothing to call')
  return chosen()
}
