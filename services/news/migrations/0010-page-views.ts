import { type Kysely, sql } from 'kysely'

/** Every view of a page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_views (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      duration int null,
      device_type varchar(16) character set ascii collate ascii_bin null,
      user_agent varchar(255) null,
      created_at datetime(3) not null,
      key page_views_latest (page_id, member_id, created_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
