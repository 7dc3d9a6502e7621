import { type Kysely, sql } from 'kysely'

/** Views of a page per day, in the workspace's time zone at the time of the view. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_days (
      page_id char(24) character set ascii collate ascii_bin not null,
      day date not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      views int not null,
      primary key (page_id, day)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
