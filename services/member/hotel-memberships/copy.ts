import { sql } from 'kysely'
import { fold } from '../../kernel/base/texts/fold.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Trx } from '../tables.ts'

type Names = { first_name: string; last_name: string; email: string }

/** Size of the column. The address is cut after names of two hundred letters outside Latin. */
const maxBytes = 880

/** Search text of a member: the full name, a line break that no search contains, and the address. */
export function searchText(person: Names): Buffer {
  const text = Buffer.from(`${fold(`${person.first_name} ${person.last_name}`)}\n${fold(person.email)}`)
  return text.length > maxBytes ? text.subarray(0, maxBytes) : text
}

/** Columns of a membership that repeat the member's names, so that lists, searches and hierarchies need no join. */
export const copiedNames = (person: Names) => ({
  sort_last: person.last_name,
  sort_first: person.first_name,
  search_text: searchText(person),
})

/**
 * Updates the copies on a member's memberships to the present values of the member and their hotels; locks the member.
 * @param alsoLeft includes memberships that ended or were never accepted, which otherwise keep their values: for an
 * erasure
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
  const allTenants = exempt(trx, 'the member is named, and is the same in every tenant')
  await allTenants
    .updateTable('workspace_members')
    .set({ ...copiedNames(person), ...(alsoLeft ? { typed_email: null } : {}) })
    .where('member_id', '=', memberId)
    .$if(!alsoLeft, query => query.where('is_veiled', '=', 0).where('left_at', 'is', null))
    .execute()
  const pendingHotels = await allTenants
    .selectFrom('ecosystem_memberships')
    .select(['ecosystem_id', 'first_name', 'last_name', 'email'])
    .where('member_id', '=', memberId)
    .where('status', '=', 'pending')
    .execute()
  for (const hotel of pendingHotels)
    await allTenants
      .updateTable('workspace_members')
      .set(copiedNames(typedNames(hotel)))
      .where('member_id', '=', memberId)
      .where('workspace_id', 'in', eb =>
        eb.selectFrom('workspaces').select('id').where('ecosystem_id', '=', hotel.ecosystem_id),
      )
      .execute()
}

/** Names and address of a person as the inviter of a pending membership typed them. */
export const typedNames = ({ first_name, last_name, email }: { [Name in keyof Names]: string | null }): Names => ({
  first_name: first_name ?? '',
  last_name: last_name ?? '',
  email: email ?? '',
})

/**
 * Updates the copies of hotel values. A pending membership doesn't show whether the member is active elsewhere. A hotel
 * that the member left before accepting keeps only what the inviter typed.
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
