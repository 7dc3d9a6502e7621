import type { DepartmentNode, Role, Team } from '../../../../gen/client/member.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { type MemberContext, useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'

type ListRows<Row> = (input: { workspaceId: string }, options: { signal: AbortSignal }) => Promise<{ data: Row[] }>

/** Rows of the workspace that is shown. */
function useRows<Row>(name: string, list: ListRows<Row>): Load<Row[]> {
  const { id: workspaceId } = useMemberContext().workspace
  return useLoad(`${name}/${workspaceId}`, async signal => (await list({ workspaceId }, { signal })).data)
}

/** By name. */
export const useTeams = (): Load<Team[]> => useRows('teams', platform.member.listTeams)
/** As trees. */
export const useDepartments = (): Load<DepartmentNode[]> => useRows('departments', platform.member.listDepartments)
export const useRoles = (): Load<Role[]> => useRows('roles', platform.member.listRoles)

export type PlacedDepartment = { node: DepartmentNode; depth: number }

/** Departments of a tree in its order, each with its depth. */
export const flat = (nodes: DepartmentNode[], depth = 0): PlacedDepartment[] =>
  nodes.flatMap(node => [{ node, depth }, ...flat(node.subDepartments, depth + 1)])

/** Choices of a field, indented by their depth. */
export const choicesOf = (places: PlacedDepartment[]): { value: string; text: string }[] =>
  places.map(({ node, depth }) => ({ value: node.id, text: `${'\u2003'.repeat(depth)}${node.name}` }))

/** Whether the person administers the workspace. */
export const isAdministrator = ({ workspace }: MemberContext): boolean =>
  workspace.isAdmin || workspace.workspaceRole === 'admin'

/** Whether the person may give a role: they hold its permissions; administrators alone appoint administrators. */
export const mayGive = (context: MemberContext, role: Role): boolean =>
  role.slug === 'member' ||
  (role.permissions.every(({ slug }) => context.may(slug)) && (role.slug !== 'admin' || isAdministrator(context)))
