import { defaultLimits } from '../../edge/live/sockets/limits.ts'
import type { Neighbours } from '../live/sides.ts'
import { bySize } from '../support/size.ts'
import type { Member } from './clients.ts'
import { filesFor } from './files.ts'

export const total = bySize(40_000, 10_000, 100)
export const workspaces = bySize(20, 20, 4)
/** Each goes to one workspace. */
export const framesPerSecond = bySize(4, 4, 20)
export const steadyMs = bySize(30_000, 10_000, 1_000)
export const fewestEdges = bySize(4, 4, 2)
/** Open files that most machines allow. */
const usualFiles = 10_000
/** Files of a process beside its sockets, and how far chance fills one edge above the average. */
const otherFiles = 500
const unevenness = 1.05
const mostPerPerson = bySize(10, 10, 3)

/**
 * The processes, and the files that each may open. There are four edges, or more if one fewer couldn't hold all sockets
 * within the limit of open files. `perEdge` is the setting EDGE_MAX_SOCKETS.
 */
export function plan(): { edges: number; clients: number; files: number; perEdge: number } {
  const filesPerEdge = Math.ceil((total / (fewestEdges - 1)) * unevenness) + otherFiles
  const files = filesFor(Math.max(usualFiles, filesPerEdge))
  const socketsPerEdge = (files - otherFiles) / unevenness
  const enough = Math.ceil(total / socketsPerEdge) + 1
  const edges = Math.max(fewestEdges, enough)
  const perEdge = Math.max(defaultLimits.sockets, Math.ceil((total / (edges - 1)) * unevenness))
  return { edges, clients: enough, files, perEdge }
}

/** People have one socket and more, up to the limit. */
const socketsOf = (index: number): number => 1 + (index % mostPerPerson)

/** How many people have all the sockets. */
export function countPeople(): number {
  let people = 0
  for (let sockets = 0; sockets < total; people++) sockets += socketsOf(people)
  return people
}

export const workspaceIdsOf = ({ people }: Neighbours): string[] => [...new Set(people.map(one => one.workspaceId))]

/** The people with their sockets. */
export function membersOf(neighbours: Neighbours): Member[] {
  const places = new Map(workspaceIdsOf(neighbours).map((id, place) => [id, place]))
  let remainder = total
  return neighbours.people.map(({ token, workspaceId }, index) => {
    const sockets = Math.min(remainder, socketsOf(index))
    remainder -= sockets
    return { token, workspaceId, workspace: places.get(workspaceId) ?? 0, sockets }
  })
}
