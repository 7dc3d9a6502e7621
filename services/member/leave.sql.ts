import { sql } from 'kysely'
import type { Tenant } from '../kernel/tenant.ts'
import { closeInvitation } from './onboarding.sql.ts'
import type { Trx } from './rows.ts'

/** Takes a member out of every team and department of the workspace, as leader and manager too. */
export async function leaveGroups(trx: Trx, { workspaceId }: Tenant, memberId: string): Promise<void> {
  for (const table of ['team_members', 'department_members'] as const)
    await trx.deleteFrom(table).where('workspace_id', '=', workspaceId).where('member_id', '=', memberId).execute()
  await trx
    .updateTable('teams')
    .set({ leader_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('leader_id', '=', memberId)
    .where('deleted_at', 'is', null)
    .execute()
  await trx
    .updateTable('departments')
    .set({ manager_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('manager_id', '=', memberId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Cancels the open invitation of a member who leaves: it would bring them back. @returns what was cancelled */
export async function cancelInvitationOf(trx: Trx, { workspaceId }: Tenant, memberId: string) {
  const open = await trx
    .selectFrom('onboardings')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('open_key', '=', eb =>
      eb
        .selectFrom('members')
        .select(sql<string>`concat(${workspaceId}, ' ', live_email)`.as('open_key'))
        .where('id', '=', memberId),
    )
    .where('status', '=', 'pending')
    .forUpdate()
    .execute()
  for (const { id } of open) await closeInvitation(trx, workspaceId, id, 'cancelled')
  return open
}
