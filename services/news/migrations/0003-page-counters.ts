import { type Kysely, sql } from 'kysely'

/**
 * Counts of live pages by status, type, category and author, with * for any: the totals of lists, updated by the
 * writing transaction. Published pages count under author * only.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_counters (
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_type varchar(16) character set ascii collate ascii_bin not null,
      category_id varchar(24) character set ascii collate ascii_bin not null,
      author_id varchar(24) character set ascii collate ascii_bin not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      total int not null,
      primary key (workspace_id, page_type, category_id, author_id, status)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
