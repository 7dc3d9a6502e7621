import { grantedByRoles } from './access.ts'
import { effectivePermissions } from './permissions.rules.ts'
import type { Db } from './rows.ts'

type Granting = { role_id: string | null; permission_slugs: string; status: string }

/** What a membership grants, and where it comes from. */
export type Granted = { ofRole: string[]; direct: string[]; permissions: string[] }

/** Adds to memberships what they grant; nothing is effective unless they are active (DECISIONS 56). */
export async function withRights<Row extends Granting>(db: Db, rows: Row[]): Promise<(Row & Granted)[]> {
  const roleIds = [...new Set(rows.map(row => row.role_id).filter(id => id !== null))]
  const slugs = await grantedByRoles(db, roleIds)
  return rows.map(row => {
    const ofRole = (slugs.get(row.role_id ?? '') ?? []).toSorted()
    const direct = JSON.parse(row.permission_slugs) as string[]
    return { ...row, ofRole, direct, permissions: row.status === 'active' ? effectivePermissions(ofRole, direct) : [] }
  })
}
