import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { invitationsOf } from '../audit/sql.ts'
import { copyToMemberships } from '../people/copy.ts'
import { closeGap, hotelsOf } from '../people/hotels.sql.ts'
import type { Trx } from '../rows.ts'

type Person = { id: string; email: string }

/** Marks a member deleted: their address and account are free again, those below them move up. */
export async function removeMember(trx: Trx, { id }: Person): Promise<void> {
  await trx
    .updateTable('members')
    .set({
      deleted_at: sql<Date>`current_timestamp(3)`,
      live_email: null,
      // From left to right: the account is read before it goes.
      former_user_id: sql`coalesce(user_id, former_user_id)`,
      user_id: null,
      is_active: 0,
      is_super_admin: 0,
    })
    .where('id', '=', id)
    .execute()
  for (const { ecosystem_id } of await hotelsOf(trx, id)) await leaveEcosystem(trx, ecosystem_id, id)
}

/** Takes a member out of an ecosystem; those below them there move up. */
export async function leaveEcosystem(trx: Trx, ecosystemId: string, memberId: string): Promise<void> {
  await closeGap(trx, ecosystemId, memberId)
  await trx
    .deleteFrom('ecosystem_memberships')
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)
    .execute()
}

/** Replaces what says who a deleted member was; the record stays as the author of what remains. */
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
      open_key: null,
      // One that is still open would be taken up under the address of nobody.
      status: sql`if(status = 'pending', 'cancelled', status)`,
    })
    .where('id', 'in', invitations)
    .execute()
}
