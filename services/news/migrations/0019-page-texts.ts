import { type Kysely, sql } from 'kysely'

/**
 * What a search looks at: title and excerpt of each live page in one plain form, as bytes, beside the columns that lists
 * filter by. Narrow rows in the order of the workspace, so that a word that is everywhere can be counted by one short scan.
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
