/** The sockets of one person on one edge process. */
export type Share = {
  workspaceIds: string[]
  sockets: number
  visible: boolean
  /** When the last socket was opened, in milliseconds since 1970. */
  newest: number
}

/** Called when a person comes online in a workspace, or has left. */
type OnChange = (workspaceId: string, owner: string, isOnline: boolean) => void

/**
 * Who is online, over all edge processes: one person, however many sockets, devices and processes.
 * @param graceMs how long a person may be away without leaving, as during a page reload
 */
export function createPresence(graceMs: number, onChange: OnChange) {
  /** Each process's report of each person. */
  const shares = new Map<string, Map<string, Share>>()
  /** Who is shown in which workspace, with a timer while a person is about to leave. */
  const online = new Map<string, Map<string, NodeJS.Timeout | undefined>>()
  /** Where a person is shown, so that leaving is noticed. */
  const shownIn = new Map<string, Set<string>>()

  const show = (workspaceId: string, owner: string): void => {
    const people = online.get(workspaceId) ?? new Map<string, NodeJS.Timeout | undefined>()
    online.set(workspaceId, people)
    const isNew = !people.has(owner)
    clearTimeout(people.get(owner))
    people.set(owner, undefined)
    if (isNew) onChange(workspaceId, owner, true)
  }
  const hide = (workspaceId: string, owner: string): void => {
    const people = online.get(workspaceId)
    if (!people?.delete(owner)) return
    if (people.size === 0) online.delete(workspaceId)
    onChange(workspaceId, owner, false)
  }
  const hideSoon = (workspaceId: string, owner: string): void => {
    const people = online.get(workspaceId)
    if (!people?.has(owner) || people.get(owner)) return
    people.set(owner, setTimeout(hide, graceMs, workspaceId, owner).unref())
  }
  const updatePresence = (owner: string): void => {
    const currentWorkspaces = new Set(
      [...(shares.get(owner)?.values() ?? [])].flatMap(share => (share.visible ? share.workspaceIds : [])),
    )
    for (const workspaceId of currentWorkspaces) show(workspaceId, owner)
    for (const workspaceId of shownIn.get(owner) ?? [])
      if (!currentWorkspaces.has(workspaceId)) hideSoon(workspaceId, owner)
    if (currentWorkspaces.size > 0) shownIn.set(owner, currentWorkspaces)
    else shownIn.delete(owner)
  }
  const put = (edge: string, owner: string, share: Share): void => {
    const sharesByEdge = shares.get(owner) ?? new Map<string, Share>()
    if (share.sockets > 0) shares.set(owner, sharesByEdge.set(edge, share))
    else if (sharesByEdge.delete(edge) && sharesByEdge.size === 0) shares.delete(owner)
    updatePresence(owner)
  }

  return {
    put,
    /** Drops a process, except for the owners it has just reported again. */
    dropProcess(edge: string, except: ReadonlySet<string> = new Set()): void {
      for (const [owner, sharesByEdge] of shares)
        if (sharesByEdge.has(edge) && !except.has(owner))
          put(edge, owner, { workspaceIds: [], sockets: 0, visible: false, newest: 0 })
    },
    /** The reports of a person, by process. */
    sharesOf: (owner: string): ReadonlyMap<string, Share> => shares.get(owner) ?? new Map<string, Share>(),
    /** Who is online in a workspace. */
    list: (workspaceId: string): string[] => [...(online.get(workspaceId)?.keys() ?? [])].sort(),
    stats: () => ({ people: shares.size }),
    stop(): void {
      for (const people of online.values()) for (const timer of people.values()) clearTimeout(timer)
    },
  }
}
