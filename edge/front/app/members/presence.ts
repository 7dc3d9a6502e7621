import { useCallback } from 'preact/hooks'
import { useFrames, useRoom } from '../platform/live.ts'
import { createStore, useStore } from '../platform/store.ts'

type List = { workspaceId: string; memberIds: string[] }
type Change = { workspaceId: string; memberId: string }

/** Who is online, by workspace. */
const online = createStore<ReadonlyMap<string, ReadonlySet<string>>>(new Map())

const put = (workspaceId: string, change: (ids: Set<string>) => void): void =>
  online.set(all => {
    const ids = new Set(all.get(workspaceId))
    change(ids)
    return new Map(all).set(workspaceId, ids)
  })

/** Member ids of the people who are online in a workspace. */
export function usePresence(workspaceId: string): ReadonlySet<string> {
  const listed = useCallback((list: List) => {
    put(list.workspaceId, ids => {
      ids.clear()
      for (const id of list.memberIds) ids.add(id)
    })
  }, [])
  const joined = useCallback((one: Change) => put(one.workspaceId, ids => ids.add(one.memberId)), [])
  const left = useCallback((one: Change) => put(one.workspaceId, ids => ids.delete(one.memberId)), [])
  useFrames('presence:list', listed)
  useFrames('presence:joined', joined)
  useFrames('presence:left', left)
  useRoom('joinPresence', workspaceId)
  return useStore(online).get(workspaceId) ?? none
}

const none: ReadonlySet<string> = new Set()
