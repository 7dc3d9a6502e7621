import type { DepartmentNode, Team } from '../../../../gen/client/member.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'

/** The teams of the workspace that is shown, by name. */
export function useTeams(): Load<Team[]> {
  const { workspace } = useMemberContext()
  return useLoad(`teams/${workspace.id}`, async signal => {
    const { data } = await platform.member.listTeams({ workspaceId: workspace.id }, { signal })
    return data
  })
}

/** Its departments, as trees. */
export function useDepartments(): Load<DepartmentNode[]> {
  const { workspace } = useMemberContext()
  return useLoad(`departments/${workspace.id}`, async signal => {
    const { data } = await platform.member.listDepartments({ workspaceId: workspace.id }, { signal })
    return data
  })
}

export type PlacedDepartment = { node: DepartmentNode; depth: number }

/** Departments of a tree in its order, each with its depth. */
export const flat = (nodes: DepartmentNode[], depth = 0): PlacedDepartment[] =>
  nodes.flatMap(node => [{ node, depth }, ...flat(node.subDepartments, depth + 1)])

/** Choices of a field, indented by their depth. */
export const choicesOf = (places: PlacedDepartment[]): { value: string; text: string }[] =>
  places.map(({ node, depth }) => ({ value: node.id, text: `${'\u2003'.repeat(depth)}${node.name}` }))
