import { type Kysely, sql } from 'kysely'

/** Comments of pages and their replies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists comments (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      parent_id char(24) character set ascii collate ascii_bin null,
      member_id char(24) character set ascii collate ascii_bin not null,
      content varchar(2000) not null,
      like_count int not null default 0,
      is_edited tinyint not null default 0,
      edited_at datetime(3) null,
      created_at datetime(3) not null,
      deleted_at datetime(3) null,
      key comments_page (page_id, created_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
