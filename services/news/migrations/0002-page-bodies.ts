import { type Kysely, sql } from 'kysely'

/** The editor documents of pages, apart from what lists read. Text keeps the order of keys that JSON columns may not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_bodies (
      page_id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      content mediumtext not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
