import { type Kysely, sql } from 'kysely'

/** Mails held back by their hourly limit have a status of their own. Widening the columns loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deliveries
      modify status enum('pending','success','failed','limited') character set ascii not null default 'pending'
  `.execute(db)
  for (const table of ['delivery_attempts', 'delivery_hours'])
    await sql`
      alter table ${sql.table(table)} modify status enum('success','failed','retry','limited') character set ascii not null
    `.execute(db)
}
