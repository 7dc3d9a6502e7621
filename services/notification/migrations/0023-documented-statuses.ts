import { type Kysely, sql } from 'kysely'

/** A mail beyond a limit is a failed one: attempts have the documented statuses only. Merging the two loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(async trx => {
    await sql`
      insert into delivery_hours (hour, channel, status, deliveries)
      select hour, channel, 'failed', deliveries from delivery_hours l where status = 'limited'
      on duplicate key update deliveries = delivery_hours.deliveries + values(deliveries)
    `.execute(trx)
    await sql`delete from delivery_hours where status = 'limited'`.execute(trx)
  })
  for (const table of ['deliveries', 'delivery_attempts'])
    await sql`update ${sql.table(table)} set status = 'failed' where status = 'limited'`.execute(db)
  await sql`
    alter table deliveries
      modify status enum('pending','success','failed') character set ascii not null default 'pending'
  `.execute(db)
  for (const table of ['delivery_attempts', 'delivery_hours'])
    await sql`
      alter table ${sql.table(table)} modify status enum('success','failed','retry') character set ascii not null
    `.execute(db)
}
