/** The sockets of one person on one edge process. */
export type ProcessReport = {
  workspaceIds: string[]
  sockets: number
  isVisible: boolean
  /** When the last socket was opened, in milliseconds since 1970. */
  lastOpenedAt: number
}

/** Called when a person comes online in a workspace, or goes offline. */
type OnChange = (workspaceId: string, personId: string, isOnline: boolean) => void

/**
 * Tracks who is online, over all edge processes: a person is online once, with any number of sockets and processes.
 * @param graceMs how long a person may have no socket before they go offline, as during a page reload
 */
export function createPresence(graceMs: number, onChange: OnChange) {
  /** The reports of each person, by process. */
  const reports = new Map<string, Map<string, ProcessReport>>()
  /** The people shown as online in each workspace, with a timer while a person is about to go offline. */
  const peopleByWorkspace = new Map<string, Map<string, NodeJS.Timeout | undefined>>()
  /** The workspaces in which each person was last reported. */
  const workspacesByPerson = new Map<string, Set<string>>()

  const show = (workspaceId: string, personId: string): void => {
    const people = peopleByWorkspace.get(workspaceId) ?? new Map<string, NodeJS.Timeout | undefined>()
    peopleByWorkspace.set(workspaceId, people)
    const isNew = !people.has(personId)
    clearTimeout(people.get(personId))
    people.set(personId, undefined)
    if (isNew) onChange(workspaceId, personId, true)
  }
  const hide = (workspaceId: string, personId: string): void => {
    const people = peopleByWorkspace.get(workspaceId)
    if (!people?.delete(personId)) return
    if (people.size === 0) peopleByWorkspace.delete(workspaceId)
    onChange(workspaceId, personId, false)
  }
  const hideSoon = (workspaceId: string, personId: string): void => {
    const people = peopleByWorkspace.get(workspaceId)
    if (!people?.has(personId) || people.get(personId)) return
    people.set(personId, setTimeout(hide, graceMs, workspaceId, personId).unref())
  }
  const updatePresence = (personId: string): void => {
    const currentWorkspaces = new Set(
      [...(reports.get(personId)?.values() ?? [])].flatMap(report => (report.isVisible ? report.workspaceIds : [])),
    )
    for (const workspaceId of currentWorkspaces) show(workspaceId, personId)
    for (const workspaceId of workspacesByPerson.get(personId) ?? [])
      if (!currentWorkspaces.has(workspaceId)) hideSoon(workspaceId, personId)
    if (currentWorkspaces.size > 0) workspacesByPerson.set(personId, currentWorkspaces)
    else workspacesByPerson.delete(personId)
  }
  const put = (edge: string, personId: string, report: ProcessReport): void => {
    const reportsByEdge = reports.get(personId) ?? new Map<string, ProcessReport>()
    if (report.sockets > 0) reports.set(personId, reportsByEdge.set(edge, report))
    else if (reportsByEdge.delete(edge) && reportsByEdge.size === 0) reports.delete(personId)
    updatePresence(personId)
  }

  return {
    put,
    /** Drops the reports of a process, except those of the people that it has just reported again. */
    dropProcess(edge: string, except: ReadonlySet<string> = new Set()): void {
      for (const [personId, reportsByEdge] of reports)
        if (reportsByEdge.has(edge) && !except.has(personId))
          put(edge, personId, { workspaceIds: [], sockets: 0, isVisible: false, lastOpenedAt: 0 })
    },
    /** The reports of a person, by process. */
    reportsOf: (personId: string): ReadonlyMap<string, ProcessReport> =>
      reports.get(personId) ?? new Map<string, ProcessReport>(),
    /** Member ids of the people who are online in a workspace. */
    list: (workspaceId: string): string[] => [...(peopleByWorkspace.get(workspaceId)?.keys() ?? [])].sort(),
    stats: () => ({ people: reports.size }),
    stop(): void {
      for (const people of peopleByWorkspace.values()) for (const timer of people.values()) clearTimeout(timer)
    },
  }
}
