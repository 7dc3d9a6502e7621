import type { Timestamp } from '@bufbuild/protobuf/wkt'

/** A nullable column as an optional field of a message. */
export const optional = <T>(value: T | null): T | undefined => value ?? undefined

/**
 * A database time as a message field; null and undefined stay absent. A literal is cheaper than `create`, and lists,
 * the most frequent answers, are full of times.
 */
export function timestamp(date: Date): Timestamp
export function timestamp(date: Date | null | undefined): Timestamp | undefined
export function timestamp(date: Date | null | undefined): Timestamp | undefined {
  if (!date) return undefined
  const ms = date.getTime()
  const seconds = Math.floor(ms / 1000)
  return { $typeName: 'google.protobuf.Timestamp', seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1e6 }
}
