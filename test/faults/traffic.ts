import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'node:http'
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
  const agent = new Agent({ keepAlive: true, maxSockets: 32, timeout: 2_000 })
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
      const answer = await ask(agent, world.urls[service] + path, method, token, body)
      if (answer.status >= 300) what = `${answer.status} ${answer.text.slice(0, 200)}`
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
    agent.destroy()
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

/** One request over a kept connection, or a new one. */
function ask(agent: Agent, url: string, method: string, token: string, body: unknown) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const sent = request(url, { agent, method, headers }, response => {
      let text = ''
      response
        .setEncoding('latin1')
        .on('data', part => (text += String(part)))
        .on('error', reject)
        .on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject).end(body ? JSON.stringify(body) : undefined)
  })
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
