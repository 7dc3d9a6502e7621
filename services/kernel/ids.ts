import { randomBytes } from 'node:crypto'

/**
 * A new record id: 24 lower-case hexadecimal characters, four bytes of seconds followed by
 * eight random ones. Ids sort by creation second and cannot be guessed.
 */
export function newId(at: number = Date.now()): string {
  const bytes = randomBytes(12)
  bytes.writeUInt32BE(Math.floor(at / 1000), 0)
  return bytes.toString('hex')
}

/** True for the textual form of a record id. */
export const isId = (value: string): boolean => /^[0-9a-f]{24}$/.test(value)
