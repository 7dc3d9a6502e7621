import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import { optional, timestamp } from '../kernel/fields.ts'
import type { MemberDetailSchema, MemberSchema } from '../../gen/platform/member/v1/members_pb.ts'
import { ecosystemMemberships } from './access.sql.ts'
import { departmentsOf, directSubordinates, teamsOf, visibleMember } from './members.read.sql.ts'
import type { LiveMembership } from './memberships.live.sql.ts'
import { withRightsNow } from './memberships.rights.ts'
import type { Reach } from './reach.ts'
import type { Db } from './rows.ts'
import type { Members } from './tables.ts'

/** A member in short. */
export const toRef = (row: { id: string; first_name: string; last_name: string }) => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
})

type GroupRow = Parameters<typeof toRef>[0] & { email: string; photo_url: string | null; role: string }

/** A member of a team or a department. */
export const toGroupMember = (row: GroupRow) => ({
  ...toRef(row),
  email: row.email,
  photoUrl: optional(row.photo_url),
  role: row.role,
})

/** A membership in short. */
export const toMemberWorkspace = (row: LiveMembership) => ({
  workspaceId: row.workspace_id,
  workspaceRole: row.workspace_role,
  permissionSlugs: JSON.parse(row.permission_slugs) as string[],
  status: row.status,
  isAdmin: row.is_admin === 1,
})

/** A member as answered after a change. */
export const toMember = (row: Selectable<Members>, memberships: LiveMembership[]) =>
  ({
    ...toRef(row),
    email: row.email,
    workspaces: memberships.map(toMemberWorkspace),
    superior: optional(row.superior_id),
    dashboardAccess: row.dashboard_access === 1,
    phone: optional(row.phone),
    photoUrl: optional(row.photo_url),
    userId: optional(row.user_id),
    isSuperAdmin: row.is_super_admin === 1,
    isActive: row.is_active === 1,
    createdAt: timestamp(row.created_at),
    updatedAt: timestamp(row.updated_at),
  }) satisfies MessageInitShape<typeof MemberSchema>

/** Memberships of a reached member that the caller may see. */
export const visibleMemberships = ({ memberships, visible }: Reach): LiveMembership[] =>
  visible ? memberships.filter(one => visible.includes(one.workspace_id)) : memberships

/** A member with everything around them, as far as the caller sees it. */
export async function loadMemberDetail(db: Db, reach: Reach): Promise<MessageInitShape<typeof MemberDetailSchema>> {
  const { member, visible, isSelf } = reach
  const seen = visibleMemberships(reach)
  const workspaceIds = seen.map(one => one.workspace_id)
  const ecosystemIds = new Set(seen.map(one => one.ecosystem_id))
  const [manager, subordinates, workspaces, ecosystems, teams, departments] = await Promise.all([
    member.superior_id ? visibleMember(db, member.superior_id, visible) : undefined,
    directSubordinates(db, member.id, visible),
    withRightsNow(db, seen),
    ecosystemMemberships(db, { memberId: member.id }),
    teamsOf(db, member.id, workspaceIds),
    departmentsOf(db, member.id, workspaceIds),
  ])
  const { superior: _superior, workspaces: _workspaces, ...own } = toMember(member, [])
  return {
    ...own,
    ...(manager ? { manager: toRef(manager) } : {}),
    subordinates: subordinates.map(toRef),
    workspaces: workspaces.map(one => ({
      workspaceId: one.workspace_id,
      workspaceName: one.workspace_name,
      workspaceRole: one.workspace_role,
      permissions: member.is_active === 1 ? one.permissions : [],
      isAdmin: one.is_admin === 1,
      status: one.status,
    })),
    ecosystems: ecosystems
      .filter(one => visible === undefined || isSelf || ecosystemIds.has(one.ecosystem_id))
      .map(one => ({
        ecosystemId: one.ecosystem_id,
        role: one.role,
        permissions: JSON.parse(one.permissions) as string[],
      })),
    teams: teams.map(one => ({ teamId: one.id, teamName: one.name, role: one.role })),
    departments: departments.map(one => ({ departmentId: one.id, departmentName: one.name, role: one.role })),
  }
}
