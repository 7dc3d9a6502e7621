import { sql } from 'kysely'
import { inTransaction } from '../../kernel/database/database.ts'
import type { MailCounter, NotificationDb } from '../tables.ts'

/**
 * Adds mails to the counts of their names; an expired count restarts.
 * @returns the counts after that
 */
export const countMails = (
  db: NotificationDb,
  additions: ReadonlyMap<string, number>,
  { now, ends }: { now: Date; ends: Date },
): Promise<MailCounter[]> =>
  inTransaction(db, async trx => {
    // The same order in all processes prevents deadlocks.
    const rows = [...additions].toSorted(([a], [b]) => (a < b ? -1 : 1))
    const values = sql.join(rows.map(([name, mails]) => sql`(${name}, ${mails}, ${ends})`))
    // MySQL assigns left to right: the first assignment still sees the old end of the count.
    await sql`
      insert into mail_counters (name, mails, ends_at) values ${values}
      on duplicate key update
        mails = if(ends_at <= ${now}, values(mails), mails + values(mails)),
        ends_at = if(ends_at <= ${now}, values(ends_at), ends_at)
    `.execute(trx)
    const names = rows.map(([name]) => name)
    return trx.selectFrom('mail_counters').selectAll().where('name', 'in', names).execute()
  })

export const deleteEndedCounts = (db: NotificationDb, now: Date) =>
  db.deleteFrom('mail_counters').where('ends_at', '<', now).limit(10_000).execute()
