import { isId } from '../../kernel/base/ids.ts'

/**
 * Position of a synchronisation: in the first full list (`full`), after the last returned member; else in the changes
 * after a revision of the workspace and, within it, a member.
 */
export type Cursor = { workspaceId: string; isFull: boolean; revision: number; issuedAt: number; id: string }

/** Older cursors are refused, although ended memberships are kept. */
const maxAgeMs = 30 * 24 * 3_600_000

/** Encodes a cursor for clients. */
export const writeCursor = ({ workspaceId, isFull, revision, issuedAt, id }: Cursor): string =>
  Buffer.from(JSON.stringify([workspaceId, isFull ? 1 : 0, revision, issuedAt, id])).toString('base64url')

/** Sorts after every member id, so that the cursor continues with the next revision. */
export const lastId = 'g'

const isPlace = (id: unknown): id is string => typeof id === 'string' && (id === '' || id === lastId || isId(id))
const isCount = (one: unknown): one is number => typeof one === 'number' && Number.isSafeInteger(one) && one >= 0

/** Decodes a cursor; undefined when it is invalid, of another workspace, or too old. */
export function readCursor(text: string, workspaceId: string, now: number): Cursor | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (!Array.isArray(parts) || parts.length !== 5) return undefined
    const [cursorWorkspaceId, isFull, revision, issuedAt, id] = parts as unknown[]
    if (cursorWorkspaceId !== workspaceId || !isPlace(id) || !isCount(revision) || !isCount(issuedAt)) return undefined
    return issuedAt > now - maxAgeMs ? { workspaceId, isFull: isFull === 1, revision, issuedAt, id } : undefined
  } catch {
    return undefined
  }
}
