/**
 * Where a synchronisation goes on: in the first full list (`full`) or in the changes since a
 * moment, after the last member that was answered.
 */
export type Cursor = { workspaceId: string; full: boolean; since: number; until: number; at: number; id: string }

/** Changes of transactions that were still open at the last answer are asked for once more. */
export const overlapMs = 10_000
/** Ended memberships are kept, but nobody should go on from a cursor of last season. */
const maxAgeMs = 30 * 24 * 3_600_000

/** A cursor as clients carry it. */
export const writeCursor = ({ workspaceId, full, since, until, at, id }: Cursor): string =>
  Buffer.from(JSON.stringify([workspaceId, full ? 1 : 0, since, until, at, id])).toString('base64url')

/** Reads a cursor; undefined when it is not one of this workspace or is too old. */
export function readCursor(text: string, workspaceId: string, now: number): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts) || parts.length !== 6) return undefined
    const [where, full, since, until, at, id] = parts as unknown[]
    if (where !== workspaceId || typeof id !== 'string') return undefined
    if (
      ![since, until, at].every(one => typeof one === 'number' && Number.isSafeInteger(one) && one >= 0 && one < 4e12)
    )
      return undefined
    const cursor = { workspaceId, full: full === 1, since: Number(since), until: Number(until), at: Number(at), id }
    return cursor.until > now - maxAgeMs ? cursor : undefined
  } catch {
    return undefined
  }
}
