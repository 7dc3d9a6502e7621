import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/**
 * A new record id: 24 lower-case hexadecimal characters, four bytes of seconds followed by eight random ones. Ids sort
 * by creation second and can't be guessed.
 */
export function newId(timeMs: number = Date.now()): string {
  const seconds = Math.floor(timeMs / 1000).toString(16)
  // Node prepares random UUIDs in advance; these 16 digits of one are all random.
  const uuid = randomUUID()
  return seconds.padStart(8, '0') + uuid.slice(0, 4) + uuid.slice(-12)
}

/** Sorts before every id of a record from that second on, and after all earlier ones. */
export const lowestIdAt = (date: Date): string =>
  Math.floor(date.getTime() / 1000)
    .toString(16)
    .padStart(8, '0')

/** Whether a text has the form of a record id. */
export const isId = (value: string): boolean => /^[0-9a-f]{24}$/.test(value)

const form = /^[\w-]{1,64}$/

/**
 * The request's own id if it is well formed, else a new one. Logs and error reports carry it, so arbitrary client text
 * is not accepted.
 */
export const requestIdFor = (clientId: string | undefined): string =>
  clientId !== undefined && form.test(clientId) ? clientId : randomUUID()

/** Id of the request that the running code serves, or of the one that caused the event that it handles. */
export const currentRequestId = new AsyncLocalStorage<string>()
