import { type Kysely, sql } from 'kysely'

/** Names have 255 characters [R84]. Widening the columns loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users modify first_name varchar(255) null, modify last_name varchar(255) null`.execute(db)
}
