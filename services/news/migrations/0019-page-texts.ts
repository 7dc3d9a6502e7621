import { type Kysely, sql } from 'kysely'

/**
 * Search texts: folded title and excerpt of each live page as bytes, beside the columns that lists filter by. Narrow
 * rows in workspace order, so that one short scan counts even a very common word.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_texts (
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      page_type varchar(16) character set ascii collate ascii_bin not null,
      category_id char(24) character set ascii collate ascii_bin null,
      created_by_id char(24) character set ascii collate ascii_bin not null,
      body mediumblob not null,
      primary key (workspace_id, page_id),
      unique key page_texts_page (page_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
