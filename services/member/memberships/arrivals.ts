import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Trx } from '../rows.ts'

/**
 * The occurrence of each person's arrival in a workspace, by member id. Whoever is added and whoever registers are told
 * of in two events (DECISIONS 21), of which colleagues are notified once (R39).
 */
export async function arrivalsOf(
  trx: Trx,
  tenant: Tenant,
  memberIds: readonly string[],
): Promise<Map<string, { occurrenceId: string }>> {
  if (memberIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom('workspace_members')
    .select(['member_id', 'joined_at'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('member_id', 'in', memberIds)
    .execute()
  return new Map(
    rows.map(({ member_id, joined_at }) => [
      member_id,
      { occurrenceId: `arrival:${member_id}:${joined_at.getTime().toString(36)}` },
    ]),
  )
}
