import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { OnboardingStatus, Trx } from '../tables.ts'

/** Ends a pending invitation with this status, which allows a new one to the same address. */
export const closeInvitation = (
  trx: Trx,
  workspaceId: string,
  id: string,
  status: Exclude<OnboardingStatus, 'pending' | 'accepted'>,
) =>
  trx
    .updateTable('onboardings')
    .set({ status, open_key: null })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()

/** Updates the grants of open invitations to those of the changed memberships. */
export const updateInvitationGrants = (trx: Trx, { workspaceId }: Tenant, memberIds: string[]) =>
  sql`update onboardings o
    join members m on o.open_key = concat(${workspaceId}, ' ', m.live_email)
    join workspace_members wm on wm.workspace_id = ${workspaceId} and wm.member_id = m.id and wm.left_at is null
    set o.workspace_role = wm.workspace_role, o.permissions = wm.permission_slugs
    where o.workspace_id = ${workspaceId} and o.status = 'pending' and m.id in (${sql.join(memberIds)})`.execute(trx)

/**
 * Cancels the open invitations of a member who leaves, to their typed and present address: they would bring them back.
 * @returns the ids of the cancelled invitations
 */
export async function cancelInvitationOf(trx: Trx, { workspaceId }: Tenant, memberId: string): Promise<string[]> {
  const addresses = await trx
    .selectFrom('members as m')
    .innerJoin('workspace_members as wm', 'wm.member_id', 'm.id')
    .select(['wm.typed_email', 'm.live_email'])
    .where('m.id', '=', memberId)
    .where('wm.workspace_id', '=', workspaceId)
    .executeTakeFirst()
  const emails = [addresses?.typed_email, addresses?.live_email].flatMap(email => email ?? [])
  if (emails.length === 0) return []
  const openInvitations = await trx
    .selectFrom('onboardings')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(
      'open_key',
      'in',
      emails.map(email => `${workspaceId} ${normalizeEmail(email)}`),
    )
    .where('status', '=', 'pending')
    .forUpdate()
    .execute()
  for (const { id } of openInvitations) await closeInvitation(trx, workspaceId, id, 'cancelled')
  return openInvitations.map(({ id }) => id)
}

/** Cancels the open invitations to a workspace. @returns their ids */
export async function cancelInvitationsTo(trx: Trx, { workspaceId }: Tenant): Promise<string[]> {
  const openInvitations = trx.selectFrom('onboardings').select('id').where('workspace_id', '=', workspaceId)
  const rows = await openInvitations.where('status', '=', 'pending').forUpdate().execute()
  for (const { id } of rows) await closeInvitation(trx, workspaceId, id, 'cancelled')
  return rows.map(({ id }) => id)
}
