import { slugsByRoleId } from '../rights/access.ts'
import { effectivePermissions, permissionsIn } from '../rights/rules.ts'
import type { Db } from '../tables.ts'
import type { LiveMembership } from './live.sql.ts'

type Granting = { role_id: string | null; permission_slugs: string; status: string; member_active: number }

/** Permissions of a membership, and their source. */
export type WithPermissions = { ofRole: string[]; direct: string[]; permissions: string[] }

const isEffective = ({ status, member_active }: Pick<Granting, 'status' | 'member_active'>): boolean =>
  status === 'active' && member_active === 1

/** Adds the permissions to memberships. They are effective only while membership and member are active [D56]. */
export async function withRights<Row extends Granting>(db: Db, rows: Row[]): Promise<(Row & WithPermissions)[]> {
  const roleIds = [...new Set(rows.map(row => row.role_id).filter(id => id !== null))]
  const slugs = await slugsByRoleId(db, roleIds)
  return rows.map(row => {
    const ofRole = (slugs.get(row.role_id ?? '') ?? []).toSorted()
    const direct = JSON.parse(row.permission_slugs) as string[]
    return { ...row, ofRole, direct, permissions: isEffective(row) ? effectivePermissions(ofRole, direct) : [] }
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
