import { useCallback } from 'preact/hooks'
import { useFrames, useRoom } from '../platform/live.ts'
import { createStore, useStore } from '../platform/store.ts'

type List = { workspaceId: string; memberIds: string[] }
type Change = { workspaceId: string; memberId: string }

/** Who is online, by workspace. */
const onlineByWorkspace = createStore<ReadonlyMap<string, ReadonlySet<string>>>(new Map())

const changePresent = (workspaceId: string, change: (ids: Set<string>) => void): void =>
  onlineByWorkspace.set(byWorkspace => {
    const ids = new Set(byWorkspace.get(workspaceId))
    change(ids)
    return new Map(byWorkspace).set(workspaceId, ids)
  })

/** Member ids of the people who are online in a workspace. */
export function usePresence(workspaceId: string): ReadonlySet<string> {
  const replaceList = useCallback((list: List) => {
    changePresent(list.workspaceId, ids => {
      ids.clear()
      for (const id of list.memberIds) ids.add(id)
    })
  }, [])
  const addMember = useCallback((one: Change) => changePresent(one.workspaceId, ids => ids.add(one.memberId)), [])
  const removeMember = useCallback((one: Change) => changePresent(one.workspaceId, ids => ids.delete(one.memberId)), [])
  useFrames('presence:list', replaceList)
  useFrames('presence:joined', addMember)
  useFrames('presence:left', removeMember)
  useRoom('joinPresence', workspaceId)
  return useStore(onlineByWorkspace).get(workspaceId) ?? nobodyOnline
}

const nobodyOnline: ReadonlySet<string> = new Set()
