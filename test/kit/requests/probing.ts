import { type Call, call, type RouteAnswer, type Urls } from '../../../cli/tour/client.ts'
import type { Endpoint } from './requests.ts'

type Probe = {
  /** Sends a call and records forbidden answers. */
  send(endpoint: Endpoint, path: string, options: Call): Promise<RouteAnswer>
  /** Checks many routes, eight at a time, and returns what is wrong with each; unbuilt ones are skipped. */
  wrong(routes: Endpoint[], problemOf: (endpoint: Endpoint) => Promise<string | undefined>): Promise<string[]>
  /** Every distinct answer of 500 and above, except 501. */
  faults(): string[]
  /** Titles of the routes that answered 501. */
  unbuilt(): string[]
}

/** Works on many at once, eight at a time. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  const next = async (): Promise<void> => {
    for (let item = queue.shift(); item; item = queue.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, next))
}

/** Calls routes of a running platform and records failures. */
export function probe(urls: Urls): Probe {
  const faults = new Set<string>()
  const unbuilt = new Set<string>()
  return {
    async send(endpoint, path, options) {
      const { service, route } = endpoint
      // Errors of legacy routes name their fields only in problem details.
      const headers = service === 'legacyauth' ? { accept: 'application/problem+json', ...options.headers } : undefined
      const answer = await call(urls, service, route.verb, path, headers ? { ...options, headers } : options)
      const request = `${path} ${JSON.stringify(options.body)?.slice(0, 200)}`
      if (answer.status === 501) unbuilt.add(endpoint.title)
      else if (answer.status >= 500) faults.add(`${endpoint.title} → ${answer.status} for ${request}`)
      return answer
    },
    async wrong(routes, problemOf) {
      const problems: string[] = []
      await inParallel(routes, async one => {
        const problem = await problemOf(one)
        if (problem !== undefined && !unbuilt.has(one.title)) problems.push(`${one.title}: ${problem}`)
      })
      return problems.sort()
    },
    faults: () => [...faults].sort(),
    unbuilt: () => [...unbuilt].sort(),
  }
}

/** An answer on one line. */
export const short = ({ status, body }: RouteAnswer): string => `${status} ${JSON.stringify(body)?.slice(0, 160)}`

/** The fields that a 400 names, also in problem details. */
export const pathsOf = ({ body }: RouteAnswer): string[] => {
  const list = body?.['error'] ?? body?.['errors']
  return Array.isArray(list) ? (list as unknown as { path: string }[]).map(one => one.path) : []
}

/** The sentence of a refusal, also in problem details. */
export const messageOf = ({ body }: RouteAnswer): string => String(body?.['message'] ?? body?.['detail'])
