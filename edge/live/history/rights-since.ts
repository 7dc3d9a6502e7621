import { LRUCache } from 'lru-cache'
import type { CurrentRights } from '../people.ts'

/** Since when people's rights have held without a gap, as places in the stream of frames. */
export type RightsSince = ReturnType<typeof createRightsSince>

/** Event of frames without receivers, which record changes of rights in the order of the room frames. */
export const rightsChangedEvent = 'rights.changed'

const everybody = 'everybody'
const maxChanges = 100_000

/** The people whom a change of rights concerns: members, else all of a workspace or an ecosystem. */
export function concernedIds(change: {
  memberIds?: readonly string[]
  workspaceId?: string | undefined
  ecosystemId?: string | undefined
}): string[] {
  const { memberIds = [], workspaceId, ecosystemId } = change
  return memberIds.length > 0 ? [...memberIds] : [workspaceId || ecosystemId || everybody]
}

/** Keeps changes as long as frames: an older offset recovers nothing anyway. */
export function createRightsSince(keptMs: number) {
  /** Changes up to here were dropped for lack of space, so any rights may have changed. */
  let dropped = 0
  const changes = new LRUCache<string, number>({
    max: maxChanges,
    ttl: keptMs,
    dispose(sequence, _id, reason) {
      if (reason === 'evict') dropped = Math.max(dropped, sequence)
    },
  })
  return {
    changed(ids: readonly string[], sequence: number): void {
      for (const id of ids) changes.set(id, Math.max(sequence, changes.get(id) ?? 0))
    },
    /** The place of the last change that may concern a person; 0 without one. */
    of({ access, isPlatform }: CurrentRights): number {
      if (!access || isPlatform) return 0
      const ids = [
        everybody,
        access.memberId,
        ...access.workspaces.flatMap(({ workspaceId, ecosystemId }) => [workspaceId, ecosystemId]),
        ...access.ecosystems.map(({ ecosystemId }) => ecosystemId),
      ]
      return Math.max(dropped, ...ids.map(id => changes.get(id) ?? 0))
    },
    clear(): void {
      changes.clear()
      dropped = 0
    },
  }
}
