import type { Timestamp } from '@bufbuild/protobuf/wkt'

/** A nullable column as an optional field of a message. */
export const optional = <T>(value: T | null): T | undefined => value ?? undefined

/**
 * A time of the database as a field of a message; what is null or undefined stays absent. Written as a literal, which
 * costs nothing more: lists, the most frequent answers of the platform, are full of them.
 */
export function timestamp(date: Date): Timestamp
export function timestamp(date: Date | null | undefined): Timestamp | undefined
export function timestamp(date: Date | null | undefined): Timestamp | undefined {
  if (!date) return undefined
  const ms = date.getTime()
  const seconds = Math.floor(ms / 1000)
  return { $typeName: 'google.protobuf.Timestamp', seconds: BigInt(seconds), nanos: (ms - seconds * 1000) * 1e6 }
}
