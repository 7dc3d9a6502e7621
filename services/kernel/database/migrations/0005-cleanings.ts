import { type Kysely, sql } from 'kysely'

/** When old rows of a table were last deleted, and how many. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists cleanings (
      table_name varchar(64) character set ascii collate ascii_bin not null primary key,
      cleaned_at datetime(3) not null,
      deleted_rows bigint unsigned not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
