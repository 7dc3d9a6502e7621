import type { MessageInitShape } from '@bufbuild/protobuf'
import type { MemberDetailSchema, MemberSchema } from '../../../gen/platform/member/v1/members_pb.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { department, team } from '../groups/kinds.ts'
import { groupsOf } from '../groups/sql.ts'
import { findSubordinates, visibleMember } from '../hierarchy/sql.ts'
import { hotelMembershipsOf } from '../hotel-memberships/sql.ts'
import type { Db } from '../tables.ts'
import type { LiveMembership } from '../workspace-memberships/live.sql.ts'
import { withPresentRights } from '../workspace-memberships/message.ts'
import { type Reach, visibleHierarchy } from '../workspace-memberships/reach.ts'
import type { MemberView } from '../workspace-memberships/view.ts'

/** Reference to a member. */
export const toRef = (row: { id: string; first_name: string; last_name: string }) => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
})

/** Summary of a membership. */
export const toMemberWorkspace = (row: LiveMembership) => ({
  workspaceId: row.workspace_id,
  workspaceRole: row.workspace_role,
  permissionSlugs: JSON.parse(row.permission_slugs) as string[],
  status: row.status,
  isAdmin: row.is_admin === 1,
})

/** Response to a change of a member. */
export const toMember = (view: MemberView) =>
  ({
    id: view.id,
    firstName: view.firstName,
    lastName: view.lastName,
    email: view.email,
    workspaces: view.memberships.map(toMemberWorkspace),
    superior: optional(view.superior),
    dashboardAccess: view.dashboardAccess,
    phone: view.phone,
    photoUrl: view.photoUrl,
    userId: view.userId,
    isSuperAdmin: view.isSuperAdmin,
    isActive: view.isActive,
    createdAt: timestamp(view.createdAt),
    updatedAt: timestamp(view.updatedAt),
  }) satisfies MessageInitShape<typeof MemberSchema>

/** A member with memberships, hierarchy and groups, as far as the caller may see. */
export async function loadMemberDetail(db: Db, reach: Reach): Promise<MessageInitShape<typeof MemberDetailSchema>> {
  const { member, view, isPlatform, isSelf } = reach
  const workspaceIds = view.memberships.map(one => one.workspace_id)
  const ecosystemIds = new Set(view.memberships.map(one => one.ecosystem_id))
  const place = visibleHierarchy(reach)
  const [manager, subordinates, workspaces, ecosystems, teams, departments] = await Promise.all([
    view.superior ? visibleMember(db, view.superior, place) : undefined,
    findSubordinates(db, member.id, place),
    withPresentRights(db, view.memberships),
    hotelMembershipsOf(db, member.id),
    groupsOf(db, team, [member.id], workspaceIds),
    groupsOf(db, department, [member.id], workspaceIds),
  ])
  const { superior: _superior, workspaces: _workspaces, ...memberFields } = toMember(view)
  return {
    ...memberFields,
    ...(manager ? { manager: toRef(manager) } : {}),
    subordinates: subordinates.map(toRef),
    workspaces: workspaces.map(one => ({
      workspaceId: one.workspace_id,
      workspaceName: one.workspace_name,
      workspaceRole: one.workspace_role,
      permissions: one.permissions,
      isAdmin: one.is_admin === 1,
      status: one.status,
    })),
    ecosystems: ecosystems
      .filter(one => ecosystemIds.has(one.ecosystem_id) || ((isPlatform || isSelf) && Number(one.is_closed) === 0))
      .map(one => ({
        ecosystemId: one.ecosystem_id,
        role: one.role,
        permissions: JSON.parse(one.permissions) as string[],
      })),
    teams: teams.map(one => ({ teamId: one.id, teamName: one.name, role: one.role })),
    departments: departments.map(one => ({ departmentId: one.id, departmentName: one.name, role: one.role })),
  }
}
