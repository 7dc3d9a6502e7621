import type { Selectable } from 'kysely'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { systemActor } from '../../kernel/bus/events.ts'
import { exempt } from '../../kernel/database/database.ts'
import { eraseInAudit, invitationsOf } from '../audit/sql.ts'
import { copyToMemberships } from '../hotel-memberships/copy.ts'
import type { MembersTable, Trx } from '../tables.ts'
import { closeInvitation } from '../workspace-memberships/invitations.sql.ts'
import { publishCancelledInvitations } from '../workspace-memberships/invitations.ts'
import { publishMemberErasure } from './announce.ts'

/**
 * Erases a deleted member in the running transaction and notifies the other services.
 * @param member the record before the erasure
 * @returns the user ids of the accounts to end
 */
export async function erase(trx: Trx, member: Selectable<MembersTable>): Promise<string[]> {
  const userIds = await accountsOf(trx, member)
  // Must run before `anonymise`, which overwrites the address by which invitations are found.
  await cancelInvitations(trx, member)
  await eraseInAudit(trx, member)
  await anonymise(trx, member)
  await publishMemberErasure(trx, member.id, userIds)
  return userIds
}

/** Cancels open invitations, which could otherwise be accepted under the overwritten address or still be mailed. */
async function cancelInvitations(trx: Trx, member: Selectable<MembersTable>): Promise<void> {
  for (const { id, workspace_id, ecosystem_id } of await lockInvitationsTo(trx, member)) {
    const tenant = systemTenant(workspace_id, ecosystem_id, 'an invitation ends with the invited person')
    await closeInvitation(trx, workspace_id, id, 'cancelled')
    await publishCancelledInvitations(trx, tenant, [id], { actor: systemActor, memberId: member.id })
  }
}

/** The accounts of a member, without those that a live member uses by now. */
async function accountsOf(trx: Trx, { id, user_id, former_user_id }: Selectable<MembersTable>): Promise<string[]> {
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

/** The open invitations to a person, locked, in every hotel. */
async function lockInvitationsTo(trx: Trx, person: { id: string; email: string }) {
  const ids = await invitationsOf(trx, person)
  if (ids.length === 0) return []
  return exempt(trx, 'invitations of one person, wherever they came from')
    .selectFrom('onboardings')
    .select(['id', 'workspace_id', 'ecosystem_id'])
    .where('id', 'in', ids)
    .where('status', '=', 'pending')
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Overwrites the personal data of a deleted member. The row stays as the author of their content. */
async function anonymise(trx: Trx, { id, email }: { id: string; email: string }): Promise<void> {
  const invitations = await invitationsOf(trx, { id, email })
  await trx
    .updateTable('members')
    .set({
      first_name: 'Former',
      last_name: 'member',
      email: `${id}@erased.invalid`,
      phone: null,
      photo_url: null,
      former_user_id: null,
    })
    .where('id', '=', id)
    .execute()
  await copyToMemberships(trx, id, { alsoLeft: true })
  await trx.deleteFrom('member_settings').where('member_id', '=', id).execute()
  await trx.deleteFrom('member_activity').where('member_id', '=', id).execute()
  if (invitations.length === 0) return
  await exempt(trx, 'invitations of the erased person, wherever they came from')
    .updateTable('onboardings')
    .set({
      email: `${id}@erased.invalid`,
      first_name: null,
      last_name: null,
      invitation_data: null,
    })
    .where('id', 'in', invitations)
    .execute()
}
