import { type Kysely, sql } from 'kysely'

/** Pinned pages. pages.pinned_until repeats the end of the pin for lists. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists pins (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      pinned_by char(24) character set ascii collate ascii_bin not null,
      sort_order int not null default 0,
      expires_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key pins_page (workspace_id, page_id),
      key pins_order (workspace_id, sort_order, created_at desc, id desc)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
