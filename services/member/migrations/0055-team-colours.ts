import { type Kysely, sql } from 'kysely'

/** Colours may have any form of CSS. Widening the column loses no data. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table teams modify color varchar(64) character set ascii collate ascii_bin null`.execute(db)
}
