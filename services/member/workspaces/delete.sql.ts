import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Trx } from '../tables.ts'
import { leaveHotelWithWorkspace } from '../workspace-memberships/leave.sql.ts'

/** Soft-deletes a workspace: ends memberships, and deletes its teams and departments. */
export async function deleteWorkspace(trx: Trx, tenant: Tenant): Promise<void> {
  const { workspaceId } = tenant
  const now = sql<Date>`current_timestamp(3)`
  await leaveHotelWithWorkspace(trx, tenant)
  await trx
    .updateTable('workspace_members')
    .set({ left_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('left_at', 'is', null)
    .execute()
  for (const table of ['teams', 'departments'] as const)
    await trx
      .updateTable(table)
      .set({ deleted_at: now })
      .where('workspace_id', '=', workspaceId)
      .where('deleted_at', 'is', null)
      .execute()
  await trx
    .updateTable('workspaces')
    .set({ deleted_at: now, is_active: 0, members_count: 0 })
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
}
