import type { Selectable } from 'kysely'
import { forgetInAudit } from '../audit/sql.ts'
import type { Trx } from '../rows.ts'
import type { Members } from '../tables.ts'
import { announceErasure } from './announce.ts'
import { anonymise } from './delete.sql.ts'

/**
 * Forgets who a deleted member was and has the other services follow, in the running transaction.
 * @param member the record as it was before
 * @returns the person's accounts, which end
 */
export async function forget(trx: Trx, member: Selectable<Members>): Promise<string[]> {
  const userIds = await accountsOf(trx, member)
  // Before the invitations lose the address by which they are found.
  await forgetInAudit(trx, member)
  await anonymise(trx, member)
  await announceErasure(trx, member.id, userIds)
  return userIds
}

/** The accounts of a member, but for those that a living member has by now. */
async function accountsOf(trx: Trx, { id, user_id, former_user_id }: Selectable<Members>): Promise<string[]> {
  const userIds = [...new Set([user_id, former_user_id])].filter(one => one !== null)
  if (userIds.length === 0) return []
  const others = await trx
    .selectFrom('members')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('id', '!=', id)
    .where('deleted_at', 'is', null)
    .execute()
  return userIds.filter(userId => !others.some(other => other.user_id === userId))
}
