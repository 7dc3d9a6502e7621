import { ConflictError, ForbiddenError } from '../kernel/errors.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { otherAdministrators } from './administrators.sql.ts'
import { administers, isAdministrator } from './permissions.rules.ts'
import type { Trx } from './rows.ts'
import { lockWorkspace } from './workspaces.sql.ts'

type Standing = { member_id: string; workspace_role: string; is_admin: number; status: string }

/** Only administrators act on administrators: nobody takes away what they could not give. */
export function checkRank(tenant: Tenant, membership: Standing): void {
  if (isAdministrator(membership) && !administers(tenant)) throw new ForbiddenError('Permission denied')
}

/**
 * Refuses to take its last administrator from a workspace. Locks the workspace, so that two
 * administrators who remove each other cannot both succeed.
 */
export async function keepAdministrator(trx: Trx, tenant: Tenant, membership: Standing): Promise<void> {
  if (!isAdministrator(membership) || membership.status !== 'active') return
  await lockWorkspace(trx, tenant)
  if ((await otherAdministrators(trx, tenant, membership.member_id)) === 0)
    throw new ConflictError('The workspace would be left without an administrator')
}
