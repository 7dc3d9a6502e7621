import { exempt } from '../../kernel/database/database.ts'
import type { Trx } from '../rows.ts'

/**
 * Removes the workspaces of a hotel whose set-up failed: nobody has worked in them, so there is nothing to keep but
 * the record of it, which is only ever added to. @returns whether there were any
 */
export async function removeWorkspaces(trx: Trx, hotelId: string): Promise<boolean> {
  const free = exempt(trx, 'a hotel that never opened is removed as a whole')
  const rows = await free
    .selectFrom('workspaces')
    .select('id')
    .where('ecosystem_id', '=', hotelId)
    .forUpdate()
    .execute()
  const ids = rows.map(row => row.id)
  if (ids.length === 0) return false
  const roles = free.selectFrom('workspace_roles').select('id').where('workspace_id', 'in', ids)
  await free.deleteFrom('role_permissions').where('role_id', 'in', roles).execute()
  for (const table of ['workspace_roles', 'workspace_members', 'onboardings'] as const)
    await free.deleteFrom(table).where('workspace_id', 'in', ids).execute()
  await free.deleteFrom('workspaces').where('id', 'in', ids).execute()
  return true
}
