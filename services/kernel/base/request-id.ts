import { randomUUID } from 'node:crypto'

const form = /^[\w-]{1,64}$/

/**
 * The request's own id if it is well formed, else a new one. Logs and error reports carry it, so arbitrary client text
 * is not accepted.
 */
export const requestIdFor = (given: string | undefined): string =>
  given !== undefined && form.test(given) ? given : randomUUID()
