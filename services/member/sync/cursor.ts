import { isId } from '../../kernel/base/ids.ts'

/**
 * Where a synchronisation goes on: in the first full list (`full`), after the last member that was answered, or in the
 * changes after a revision of the workspace and, within it, a member.
 */
export type Cursor = { workspaceId: string; full: boolean; revision: number; issuedAt: number; id: string }

/** Ended memberships are kept, but nobody should go on from a cursor of last season. */
const maxAgeMs = 30 * 24 * 3_600_000

/** A cursor as clients carry it. */
export const writeCursor = ({ workspaceId, full, revision, issuedAt, id }: Cursor): string =>
  Buffer.from(JSON.stringify([workspaceId, full ? 1 : 0, revision, issuedAt, id])).toString('base64url')

/** What follows a revision whole: no member has an id beyond this one. */
export const lastId = 'g'

const isPlace = (id: unknown): id is string => typeof id === 'string' && (id === '' || id === lastId || isId(id))
const isCount = (one: unknown): one is number => typeof one === 'number' && Number.isSafeInteger(one) && one >= 0

/** Reads a cursor; undefined when it is not one of this workspace or is too old. */
export function readCursor(text: string, workspaceId: string, now: number): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts) || parts.length !== 5) return undefined
    const [where, full, revision, issuedAt, id] = parts as unknown[]
    if (where !== workspaceId || !isPlace(id) || !isCount(revision) || !isCount(issuedAt)) return undefined
    return issuedAt > now - maxAgeMs ? { workspaceId, full: full === 1, revision, issuedAt, id } : undefined
  } catch {
    return undefined
  }
}
