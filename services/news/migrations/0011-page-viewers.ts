import { type Kysely, sql } from 'kysely'

/** Members who have seen a page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_viewers (
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      primary key (page_id, member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
