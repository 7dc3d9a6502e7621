import type { Selectable } from 'kysely'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { eraseInAudit } from '../audit/sql.ts'
import type { Members, Trx } from '../tables.ts'
import { closeInvitation } from '../workspace-memberships/invitations.sql.ts'
import { publishCancelledInvitations } from '../workspace-memberships/invitations.ts'
import { publishMemberErasure } from './announce.ts'
import { anonymise, lockInvitationsTo } from './delete.sql.ts'

/**
 * Erases a deleted member in the running transaction and notifies the other services.
 * @param member the record before the erasure
 * @returns the user ids of the accounts to end
 */
export async function erase(trx: Trx, member: Selectable<Members>): Promise<string[]> {
  const userIds = await accountsOf(trx, member)
  // Must run before `anonymise`, which overwrites the address by which invitations are found.
  await cancelInvitations(trx, member)
  await eraseInAudit(trx, member)
  await anonymise(trx, member)
  await publishMemberErasure(trx, member.id, userIds)
  return userIds
}

/** An open invitation could otherwise be accepted under the overwritten address, and its mail still sent. */
async function cancelInvitations(trx: Trx, member: Selectable<Members>): Promise<void> {
  for (const { id, workspace_id, ecosystem_id } of await lockInvitationsTo(trx, member)) {
    const tenant = systemTenant(workspace_id, ecosystem_id, 'an invitation ends with the invited person')
    await closeInvitation(trx, workspace_id, id, 'cancelled')
    await publishCancelledInvitations(trx, tenant, [id], { actor: systemActor, memberId: member.id })
  }
}

/** The accounts of a member, without those that a live member uses by now. */
async function accountsOf(trx: Trx, { id, user_id, former_user_id }: Selectable<Members>): Promise<string[]> {
  const userIds = [...new Set([user_id, former_user_id])].filter(one => one !== null)
  if (userIds.length === 0) return []
  const inUse = await trx
    .selectFrom('members')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .execute()
  return userIds.filter(userId => !inUse.some(row => row.user_id === userId))
}
