import type { MessageInitShape } from '@bufbuild/protobuf'
import type { WorkspaceDetailSchema } from '../../../gen/platform/member/v1/workspaces_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { department, team } from '../groups/kinds.ts'
import { listGroups } from '../groups/sql.ts'
import { rolesOf } from '../roles/roles.sql.ts'
import type { Db } from '../tables.ts'
import { listMembersPage } from '../workspace-memberships/list.sql.ts'
import { withRights } from '../workspace-memberships/message.ts'
import { findWorkspace } from '../workspace-memberships/workspace.sql.ts'
import { toWorkspace } from './message.ts'

/** Most members in one answer: about 5 MB. The list of members pages through all. */
const maxMembers = 10_000

type Group = { id: string; name: string; members_count: number | null }
const toGroup = ({ id, name, members_count }: Group) => ({ id, name, membersCount: Number(members_count) })

/** A workspace with its members, teams, departments and roles. */
export async function loadWorkspaceDetail(
  db: Db,
  tenant: Tenant,
): Promise<MessageInitShape<typeof WorkspaceDetailSchema>> {
  const [workspace, members, teams, departments, roles] = await Promise.all([
    findWorkspace(db, tenant),
    listMembersPage(db, tenant, {}, { limit: maxMembers, offset: 0 }),
    listGroups(db, tenant, team),
    listGroups(db, tenant, department),
    rolesOf(db, tenant).execute(),
  ])
  if (!workspace) throw new NotFoundError('Workspace not found')
  const roleIds = new Map(roles.map(role => [role.slug, role.id]))
  const rows = members.map(row => ({ ...row, role_id: roleIds.get(row.workspace_role) ?? null }))
  return {
    ...toWorkspace(workspace),
    members: (await withRights(db, rows)).map(row => ({
      memberId: row.member_id,
      firstName: row.sort_first,
      lastName: row.sort_last,
      workspaceRole: row.workspace_role,
      permissions: row.permissions,
    })),
    teams: teams.map(toGroup),
    departments: departments.map(toGroup),
    roles: roles.map(role => ({ id: role.id, name: role.name, slug: role.slug, isSystem: role.is_system === 1 })),
  }
}
