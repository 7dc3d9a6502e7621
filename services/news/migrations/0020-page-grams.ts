import { type Kysely, sql } from 'kysely'

/** Which texts contain which three characters. gram is a checksum of workspace and characters: what it finds is looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_grams (
      gram int unsigned not null,
      number int unsigned not null,
      primary key (gram, number)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
