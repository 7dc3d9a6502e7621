import { type Kysely, sql } from 'kysely'

/** Editor documents, apart from what lists read. Stored as text, because JSON columns may reorder keys. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_bodies (
      page_id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      content mediumtext not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
