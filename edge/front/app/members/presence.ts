import { useFrames, useRoom } from '../platform/live.ts'
import { createStore, useStore } from '../platform/store.ts'

type List = { workspaceId: string; memberIds: string[] }
type Change = { workspaceId: string; memberId: string }

/** Who is online, by workspace. */
const onlineByWorkspace = createStore<ReadonlyMap<string, ReadonlySet<string>>>(new Map())

const changePresent = (workspaceId: string, change: (ids: Set<string>) => Set<string>): void =>
  onlineByWorkspace.set(byWorkspace =>
    new Map(byWorkspace).set(workspaceId, change(new Set(byWorkspace.get(workspaceId)))),
  )

/** Member ids of the people who are online in a workspace. */
export function usePresence(workspaceId: string): ReadonlySet<string> {
  useFrames('presence:list', (list: List) => changePresent(list.workspaceId, () => new Set(list.memberIds)))
  useFrames('presence:joined', (one: Change) => changePresent(one.workspaceId, ids => ids.add(one.memberId)))
  useFrames('presence:left', ({ workspaceId, memberId }: Change) =>
    changePresent(workspaceId, ids => new Set([...ids].filter(id => id !== memberId))),
  )
  useRoom('joinPresence', workspaceId)
  return useStore(onlineByWorkspace).get(workspaceId) ?? nobodyOnline
}

const nobodyOnline: ReadonlySet<string> = new Set()
