import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import type { Trx } from '../rows.ts'
import { searchText } from './fold.ts'

type Names = { first_name: string; last_name: string; email: string }

/** What a membership repeats of who its member is, so that lists, searches and hierarchies need no other table. */
export const namesOnMembership = (person: Names) => ({
  sort_last: person.last_name,
  sort_first: person.first_name,
  search_text: searchText(person),
})

/**
 * Brings the copies on the memberships of a member to what they and their hotels are now; locks the member meanwhile.
 * @param alsoLeft in workspaces that they left or never entered, too, which otherwise keep what they knew: for somebody
 * erased
 */
export async function copyToMemberships(trx: Trx, memberId: string, { alsoLeft = false } = {}): Promise<void> {
  const person = await trx
    .selectFrom('members')
    .select(['first_name', 'last_name', 'email'])
    .where('id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()
  if (!person) return
  await copyHotelValues(trx, [memberId])
  const free = exempt(trx, 'the member is named, and is the same in every tenant')
  await free
    .updateTable('workspace_members')
    .set({ ...namesOnMembership(person), ...(alsoLeft ? { typed_email: null } : {}) })
    .where('member_id', '=', memberId)
    .$if(!alsoLeft, query => query.where('is_veiled', '=', 0).where('left_at', 'is', null))
    .execute()
  const asked = await free
    .selectFrom('ecosystem_memberships')
    .select(['ecosystem_id', 'first_name', 'last_name', 'email'])
    .where('member_id', '=', memberId)
    .where('status', '=', 'pending')
    .execute()
  for (const { ecosystem_id, first_name, last_name, email } of asked) {
    const typed = { first_name: first_name ?? '', last_name: last_name ?? '', email: email ?? '' }
    await free
      .updateTable('workspace_members')
      .set(namesOnMembership(typed))
      .where('member_id', '=', memberId)
      .where('workspace_id', 'in', eb =>
        eb.selectFrom('workspaces').select('id').where('ecosystem_id', '=', ecosystem_id),
      )
      .execute()
  }
}

/**
 * The same for what hotels say of members. Whether somebody who has not accepted is active elsewhere is not shown; a hotel
 * that they left before they accepted keeps what it typed, and no more.
 */
export async function copyHotelValues(trx: Trx, memberIds: string[]): Promise<void> {
  if (memberIds.length === 0) return
  await sql`update workspace_members wm
    join members m on m.id = wm.member_id
    join workspaces w on w.id = wm.workspace_id
    left join ecosystem_memberships e on e.member_id = wm.member_id and e.ecosystem_id = w.ecosystem_id
    set wm.member_active = if(coalesce(e.is_active, 1) = 1 and (m.is_active = 1 or e.status <=> 'pending'), 1, 0),
      wm.superior_id = e.superior_id,
      wm.is_veiled = if(wm.left_at is null, e.status <=> 'pending', wm.is_veiled),
      wm.typed_email = if(wm.left_at is null, if(e.status <=> 'pending', coalesce(e.email, ''), null), wm.typed_email)
    where wm.member_id in (${sql.join(memberIds)})`.execute(trx)
}
