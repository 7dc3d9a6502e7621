import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Selectable } from 'kysely'
import type { MembershipSchema } from '../../../gen/platform/member/v1/workspace_members_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { roleIdOf } from '../rights/grants.sql.ts'
import type { Db, WorkspaceMembers } from '../tables.ts'
import { type WithPermissions, withRights } from './rights.ts'
import { findMembership } from './sql.ts'

type MembershipRow = Selectable<WorkspaceMembers> & WithPermissions

/** A membership, current or ended, with its grants; undefined if it does not exist. */
export async function loadMembership(db: Db, tenant: Tenant, memberId: string): Promise<MembershipRow | undefined> {
  const row = await findMembership(db, tenant, memberId)
  if (!row) return undefined
  const role_id = await roleIdOf(db, tenant, row.workspace_role)
  return (await withRights(db, [{ ...row, role_id }]))[0]
}

/** Maps a membership to its response. */
export const toMembership = (row: MembershipRow): MessageInitShape<typeof MembershipSchema> => ({
  memberId: row.member_id,
  workspaceId: row.workspace_id,
  workspaceRole: row.workspace_role,
  permissionSlugs: row.direct,
  status: row.status,
  isAdmin: row.is_admin === 1,
  joinedAt: timestamp(row.joined_at),
  leftAt: timestamp(row.left_at),
  permissions: row.left_at === null ? row.permissions : [],
  createdAt: timestamp(row.created_at),
  updatedAt: timestamp(row.updated_at),
})
