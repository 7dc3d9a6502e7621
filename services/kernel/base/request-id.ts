import { randomUUID } from 'node:crypto'

const form = /^[\w-]{1,64}$/

/**
 * The id of a request: the one that came with it when it is well formed, else a new one. Logs and error reports take it,
 * so it is no text of a client's.
 */
export const requestIdFor = (given: string | undefined): string =>
  given !== undefined && form.test(given) ? given : randomUUID()
