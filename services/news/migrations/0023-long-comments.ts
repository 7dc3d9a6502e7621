import { type Kysely, sql } from 'kysely'

/** Comments may have 10,000 characters. Widening the column loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table comments modify content varchar(10000) not null`.execute(db)
}
