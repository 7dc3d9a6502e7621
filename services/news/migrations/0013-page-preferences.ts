import { type Kysely, sql } from 'kysely'

/** Preferences of a member for a page. notify_on_like is null until the member chooses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_preferences (
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      is_favorite tinyint not null default 0,
      is_bookmarked tinyint not null default 0,
      is_following tinyint not null default 0,
      notify_on_comment tinyint not null default 1,
      notify_on_like tinyint null,
      updated_at datetime(3) not null,
      primary key (page_id, member_id),
      key page_preferences_mine (workspace_id, member_id, updated_at, page_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
