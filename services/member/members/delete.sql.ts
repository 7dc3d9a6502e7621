import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { invitationsOf } from '../audit/sql.ts'
import { copyToMemberships } from '../hotel-memberships/copy.ts'
import { hotelMembershipsOf } from '../hotel-memberships/sql.ts'
import type { Trx } from '../tables.ts'
import { leaveHotel } from '../workspace-memberships/leave.sql.ts'

type Person = { id: string; email: string }

/** Soft-deletes a member. Their address and account become free, and their subordinates move up. */
export async function softDeleteMember(trx: Trx, { id }: Person): Promise<void> {
  await trx
    .updateTable('members')
    .set({
      deleted_at: sql<Date>`current_timestamp(3)`,
      live_email: null,
      // MySQL assigns from left to right: former_user_id reads user_id before it is cleared.
      former_user_id: sql`coalesce(user_id, former_user_id)`,
      user_id: null,
      is_active: 0,
      is_super_admin: 0,
    })
    .where('id', '=', id)
    .execute()
  for (const { ecosystem_id } of await hotelMembershipsOf(trx, id)) await leaveHotel(trx, ecosystem_id, id)
}

/** The open invitations to a person, locked, in every hotel. */
export async function lockInvitationsTo(trx: Trx, person: Person) {
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
export async function anonymise(trx: Trx, { id, email }: Person): Promise<void> {
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
