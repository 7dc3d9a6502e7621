import type { Kysely } from 'kysely'
import { z } from 'zod'
import { type BusMessage, readPayload, retryDelaysOverAnHour } from '../../kernel/bus/consume.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { revokeCredentialsOf } from '../credentials/credentials.sql.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import type { AuthTables } from '../tables.ts'
import { publishDeleted } from '../users/events.ts'
import { softDeleteUsers } from '../users/users.sql.ts'
import { eraseOwners, lockAccounts } from './erasure.sql.ts'

/** Ends accounts for good and erases their owners' data. Repeating it changes and publishes nothing. */
export async function eraseUsers(db: Kysely<AuthTables>, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  await inTransaction(db, async trx => {
    const users = await lockAccounts(trx, userIds)
    if (users.length === 0) return
    const now = new Date()
    const liveUsers = users.filter(user => user.deleted_at === null)
    const ids = liveUsers.map(user => user.id)
    if (ids.length > 0) {
      await softDeleteUsers(trx, ids, now)
      await endSessions(trx, { userIds: ids }, now)
      await revokeCredentialsOf(trx, ids)
    }
    for (const { id, email } of liveUsers) await publishDeleted(trx, id, email ?? '')
    await eraseOwners(trx, users, now)
  })
}

/** Erases the accounts of erased members, even if the process that erased the member crashed before its own request. */
export const erasedMembers = (db: Kysely<AuthTables>) => ({
  durable: 'auth-erased-members',
  subject: 'platform.member.erased',
  retryDelays: retryDelaysOverAnHour,
  async handle(message: BusMessage): Promise<void> {
    await eraseUsers(db, readPayload(message, { userIds: z.array(z.string()) }).userIds)
  },
})
