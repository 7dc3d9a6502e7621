import { randomFillSync } from 'node:crypto'

/** Random bytes drawn ahead: drawing eight takes as long as drawing several hundred. */
const drawn = Buffer.allocUnsafe(4096)
const perId = 8
let used = drawn.length

/**
 * A new record id: 24 lower-case hexadecimal characters, four bytes of seconds followed by eight random ones. Ids sort
 * by creation second and can't be guessed.
 */
export function newId(at: number = Date.now()): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  const random = drawn.toString('hex', used, used + perId)
  used += perId
  return (
    Math.floor(at / 1000)
      .toString(16)
      .padStart(8, '0') + random
  )
}

/** Whether a text has the form of a record id. */
export const isId = (value: string): boolean => /^[0-9a-f]{24}$/.test(value)
