import type { Kysely } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { queueState } from '../../kernel/database/gauges.ts'
import type { AuthTables } from '../tables.ts'

export const insertMail = (db: Kysely<AuthTables>, mail: { slug: string; sealed: string; decoy: boolean; now: Date }) =>
  db
    .insertInto('mails')
    .values({
      id: newId(),
      slug: mail.slug,
      sealed: mail.sealed,
      is_decoy: mail.decoy ? 1 : 0,
      next_attempt_at: mail.now,
      created_at: mail.now,
    })
    .execute()

/** When the next mail is due. A cheap query, since claiming takes a transaction and usually finds nothing. */
export async function nextMailAt(db: Kysely<AuthTables>): Promise<Date | undefined> {
  const row = await db
    .selectFrom('mails')
    .select('next_attempt_at')
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at
}

/** Leases due mails for `leaseMs`; concurrent processes claim others. */
export const claimMails = (db: Kysely<AuthTables>, now: Date, leaseMs: number, limit: number) =>
  inTransaction(db, async trx => {
    const rows = await trx
      .selectFrom('mails')
      .selectAll()
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
    const ids = rows.map(row => row.id)
    if (ids.length > 0)
      await trx
        .updateTable('mails')
        .set(eb => ({ attempts: eb('attempts', '+', 1), next_attempt_at: new Date(now.getTime() + leaseMs) }))
        .where('id', 'in', ids)
        .execute()
    return rows
  })

export const postponeMail = (db: Kysely<AuthTables>, id: string, until: Date) =>
  db.updateTable('mails').set({ next_attempt_at: until }).where('id', '=', id).execute()

export const deleteMail = (db: Kysely<AuthTables>, id: string) => db.deleteFrom('mails').where('id', '=', id).execute()

/** What waits for the notification service. */
export const loadMailQueue = (db: Kysely<AuthTables>) =>
  db.selectFrom('mails').select(queueState('next_attempt_at')).executeTakeFirstOrThrow()
