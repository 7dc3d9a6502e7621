import { type Kysely, sql } from 'kysely'

/** No document limits the length of a comment: it may have 10,000 characters, and the change takes nothing away. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table comments modify content varchar(10000) not null`.execute(db)
}
