import { type Kysely, sql } from 'kysely'

/** Names have 255 characters [R84]. Widening the columns loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payment_customers modify name varchar(255) not null`.execute(db)
}
