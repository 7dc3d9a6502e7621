import { type Kysely, sql } from 'kysely'

/** Deleted files whose bytes are still stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists media_removals (
      id char(24) character set ascii collate ascii_bin not null primary key,
      created_at datetime(3) not null,
      key media_removals_created (created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
