import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import type { MembershipSchema } from '../../../gen/platform/member/v1/workspace_members_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { slugsByRoleId } from '../rights/access.ts'
import { effectivePermissions, permissionsIn } from '../rights/rules.ts'
import type { Db, WorkspaceMembersTable } from '../tables.ts'
import type { LiveMembership } from './live.sql.ts'
import { membershipsOf } from './sql.ts'

type Granting = { role_id: string | null; permission_slugs: string; status: string; member_active: number }

/** Permissions of a membership, and their source. */
export type WithPermissions = { roleSlugs: string[]; directSlugs: string[]; permissions: string[] }

const isEffective = ({ status, member_active }: Pick<Granting, 'status' | 'member_active'>): boolean =>
  status === 'active' && member_active === 1

/** Adds the permissions to memberships. They are effective only while membership and member are active. */
export async function withRights<Row extends Granting>(db: Db, rows: Row[]): Promise<(Row & WithPermissions)[]> {
  const roleIds = [...new Set(rows.map(row => row.role_id).filter(id => id !== null))]
  const slugs = await slugsByRoleId(db, roleIds)
  return rows.map(row => {
    const roleSlugs = (slugs.get(row.role_id ?? '') ?? []).toSorted()
    const directSlugs = JSON.parse(row.permission_slugs) as string[]
    return {
      ...row,
      roleSlugs,
      directSlugs,
      permissions: isEffective(row) ? effectivePermissions(roleSlugs, directSlugs) : [],
    }
  })
}

/** The same for memberships of several workspaces, reduced to what each workspace allows at the moment. */
export const withPresentRights = async (
  db: Db,
  rows: LiveMembership[],
): Promise<(LiveMembership & WithPermissions)[]> =>
  (await withRights(db, rows)).map(row => ({
    ...row,
    permissions: permissionsIn({ is_active: row.workspace_active, closed_at: row.closed_at }, row),
  }))

type MembershipRow = Selectable<WorkspaceMembersTable> & WithPermissions

/** A membership, current or ended, with its permissions; undefined if it does not exist. */
export async function loadMembership(db: Db, tenant: Tenant, memberId: string): Promise<MembershipRow | undefined> {
  return (await withRights(db, await membershipsOf(db, memberId, [tenant.workspaceId])))[0]
}

/** Maps a membership to its response. */
export const toMembership = (row: MembershipRow): MessageInitShape<typeof MembershipSchema> => ({
  ...messageFields(row),
  permissionSlugs: row.directSlugs,
  permissions: row.left_at === null ? row.permissions : [],
})
