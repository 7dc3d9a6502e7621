import { sql } from 'kysely'
import { exempt } from '../kernel/database.ts'
import { searchText } from './members.fold.ts'
import type { Trx } from './rows.ts'

type Person = { first_name: string; last_name: string; email: string; is_active: number; superior_id: string | null }

/** What a membership repeats of its member, so that lists, searches and hierarchies need no other table. */
export const membershipCopyOf = (person: Person) => ({
  sort_last: person.last_name,
  sort_first: person.first_name,
  search_text: searchText(person),
  member_active: person.is_active,
  superior_id: person.superior_id,
})

/** Brings the copies on all memberships of a member to what the member is now, and locks the member meanwhile. */
export async function copyToMemberships(trx: Trx, memberId: string): Promise<void> {
  const person = await trx
    .selectFrom('members')
    .select(['first_name', 'last_name', 'email', 'is_active', 'superior_id'])
    .where('id', '=', memberId)
    .forUpdate()
    .executeTakeFirst()
  if (person)
    await exempt(trx, 'the member is named, and is the same in every tenant')
      .updateTable('workspace_members')
      .set(membershipCopyOf(person))
      .where('member_id', '=', memberId)
      .execute()
}

/** The same for one column of many members. */
export const copyActivity = (trx: Trx, memberIds: string[]) =>
  sql`update workspace_members wm join members m on m.id = wm.member_id
    set wm.member_active = m.is_active where wm.member_id in (${sql.join(memberIds)})`.execute(trx)

/** Memberships of those who were below somebody lead to their new superior. */
export const moveSubordinates = (trx: Trx, from: string, to: string | null) =>
  sql`update workspace_members set superior_id = ${to} where superior_id = ${from}`.execute(trx)
