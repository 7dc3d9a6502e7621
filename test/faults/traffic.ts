import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../../cli/tour/world.ts'
import type { RestService } from '../../gen/catalogue.ts'
import type { TimedAttempt } from './load.ts'
import { NoAnswer, plainClient, type Sending } from './traffic.client.ts'

/** A request without the expected answer. */
export type Failure = {
  call: string
  /** The status with the beginning of the answer, or why there was none. */
  cause: string
  /** Processes being replaced at that moment. */
  during: string[]
}

export type Slowest = { answer: number; call: string; standstill: number }

export type Traffic = {
  /** Clients' knowledge of each comment they wrote; see verdict.ts. */
  attempts: TimedAttempt[]
  failures: Failure[]
  /** Requests for which the trial itself stopped waiting. */
  timeouts: Failure[]
  requests(): number
  /** Slowest answer, and longest stall of this process, in ms. */
  slowest(): Slowest
  stop(): Promise<void>
}

/** Most concurrent requests, so that a slow platform slows the traffic down. */
const atOnce = 64
const sockets = 32

/**
 * Sends `rate` requests a second over kept connections, reads and writes of every service, without retries, and records
 * each that isn't answered with a 2xx.
 * @param replaced names of the processes being replaced now
 * @param say receives a line for each failure
 */
export function startTraffic(
  world: World,
  rate: number,
  replaced: () => string[],
  say: (line: string) => void,
): Traffic {
  const client = plainClient(sockets)
  const attempts: TimedAttempt[] = []
  const failures: Failure[] = []
  const timeouts: Failure[] = []
  const runningRequests = new Set<Promise<void>>()
  const slowest: Slowest = { answer: 0, call: '', standstill: 0 }
  const began = Date.now()
  let requestCount = 0
  let isRunning = true

  const send = async (number: number): Promise<void> => {
    const { content, ...call } = callOf(world, number)
    const name = `${call.method} ${new URL(call.url).pathname}`
    const startedAt = Date.now()
    const before = replaced()
    let cause = ''
    let list = failures
    try {
      const { status, text, ms } = await client.send(call)
      if (ms > slowest.answer) Object.assign(slowest, { answer: ms, call: name })
      if (status >= 300) cause = `${status} after ${ms} ms: ${text.slice(0, 200)}`
    } catch (error) {
      cause = String(error instanceof Error ? error.message : error)
      if (error instanceof NoAnswer && error.isTimeout) list = timeouts
    }
    if (content) attempts.push({ content, outcome: cause === '' ? 'acknowledged' : 'unknown', startedAt })
    const during = [...new Set([...before, ...replaced()])]
    if (cause === '') return
    list.push({ call: name, cause, during })
    say(`${name}: ${cause.trim()}, during: ${during.join(', ') || 'nothing'}`)
  }

  const sending = (async () => {
    for (let last = Date.now(); isRunning; await sleep(5)) {
      slowest.standstill = Math.max(slowest.standstill, Date.now() - last)
      last = Date.now()
      const dueCount = Math.floor(((last - began) * rate) / 1_000)
      while (requestCount < dueCount && runningRequests.size < atOnce) {
        const one = send(requestCount++).finally(() => runningRequests.delete(one))
        runningRequests.add(one)
      }
    }
    await Promise.all(runningRequests)
    client.close()
  })()

  return {
    attempts,
    failures,
    timeouts,
    requests: () => requestCount,
    slowest: () => ({ ...slowest }),
    async stop() {
      isRunning = false
      await sending
    },
  }
}

const boundary = 'a-part-of-the-trial'
const form = (name: string, text: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n` +
  `${text}\r\n--${boundary}--\r\n`

/** Of a hundred requests, ten write a comment and one uploads a file. */
function callOf({ ids, tokens, urls }: World, number: number): Sending & { content?: string } {
  const as = (token: string | undefined) => ({ authorization: `Bearer ${token}` })
  const get = (service: RestService, path: string, token = tokens.colleague): Sending => ({
    url: urls[service] + path,
    method: 'GET',
    headers: as(token),
  })
  if (number % 100 === 99)
    return {
      url: `${urls.media}/media/upload`,
      method: 'POST',
      headers: { ...as(tokens.colleague), 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: form(`${number}.txt`, `file ${number}`),
    }
  const content = `comment ${number}`
  const calls = [
    () => ({
      url: `${urls.news}/api/v1/comments`,
      method: 'POST' as const,
      headers: { ...as(tokens.colleague), 'content-type': 'application/json' },
      body: JSON.stringify({ pageId: ids['page'], content }),
      content,
    }),
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
  const createCall = calls[number % calls.length]
  if (!createCall) throw new Error('there is nothing to call')
  return createCall()
}
