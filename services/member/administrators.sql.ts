import type { Tenant } from '../kernel/tenant.ts'
import type { Db } from './rows.ts'

/** How many others can administer the workspace: active, and with an account to sign in with. */
export async function otherAdministrators(db: Db, tenant: Tenant, memberId: string): Promise<number> {
  const rows = await db
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .select('wm.member_id')
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.member_id', '!=', memberId)
    .where('wm.status', '=', 'active')
    .where('wm.left_at', 'is', null)
    .where(eb => eb.or([eb('wm.is_admin', '=', 1), eb('wm.workspace_role', '=', 'admin')]))
    .where('m.is_active', '=', 1)
    .where('m.user_id', 'is not', null)
    .where('m.deleted_at', 'is', null)
    .limit(1)
    .execute()
  return rows.length
}
