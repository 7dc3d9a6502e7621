import { basePath } from './place.ts'
import { keepReads } from './session-route.ts'

/** Answers of reads, by their address below the services. */
export type ReadAnswers = Record<string, unknown>

/** Limits of the session's route. */
const [maxReads, maxAddressLength] = [20, 2_000]

const servicesPath = `${basePath}services/`

type Start = {
  /** The reads that wait, by address. */
  reads: Map<string, PromiseWithResolvers<unknown>>
  /** Resolves at the end of the start. */
  end: PromiseWithResolvers<void>
}

/** The start of this page; undefined before and after it. */
let start: Start | undefined

/** The end of the start. */
export const startEnd = (): Promise<void> | undefined => start?.end.promise

/**
 * Begins the start of the page: requests wait until the session's cookie is exchanged for a token, which also answers
 * the reads of the first screen. This saves a round trip over a slow network.
 */
export function beginStart() {
  const { reads, end } = (start = { reads: new Map(), end: Promise.withResolvers() })
  // Opened first, so that answers that arrive after a sign-out are written to the deleted cache.
  const cache = navigator.serviceWorker?.controller ? caches.open('readings') : undefined
  return {
    /** Addresses of the reads that the first screen makes, which the next start of this page will make too. */
    async reads(): Promise<string[]> {
      await firstScreen()
      const addresses = [...reads.keys()].filter(({ length }) => length <= maxAddressLength).slice(0, maxReads)
      keepReads(addresses)
      return addresses
    },
    /** Answers the reads; those without an answer are sent. */
    answer(answers: ReadAnswers = {}): void {
      for (const [address, read] of reads) read.resolve(answers[address])
      for (const [address, answer] of Object.entries(answers))
        void cache?.then(one => one.put(servicesPath + address, Response.json(answer))).catch(() => undefined)
    },
    /** Reads without an answer never get one: their screen is gone. */
    end(): void {
      start = undefined
      end.resolve()
    },
  }
}

/** Sends a request with the current token, after the start. */
export async function sendAfterStart(
  address: string,
  init: RequestInit,
  token: () => Promise<string | undefined>,
): Promise<Response> {
  if (!start) return fetch(address, init)
  const answer = await (init.method === 'GET' ? readAnswer(start, address.slice(servicesPath.length)) : startEnd())
  if (answer !== undefined) return Response.json(answer)
  const accessToken = await token()
  const authorization: Record<string, string> = accessToken ? { authorization: `Bearer ${accessToken}` } : {}
  return fetch(address, { ...init, headers: { ...(init.headers as Record<string, string>), ...authorization } })
}

function readAnswer({ reads }: Start, address: string): Promise<unknown> {
  const read = reads.get(address) ?? Promise.withResolvers<unknown>()
  reads.set(address, read)
  return read.promise
}

/** Resolves once the first screen is rendered and has sent its reads; at once in a page that isn't visible. */
const firstScreen = (): Promise<void> =>
  new Promise(resolve => {
    if (document.hidden) return resolve()
    // Effects run in a task after the frame.
    requestAnimationFrame(() => setTimeout(() => setTimeout(resolve)))
  })
