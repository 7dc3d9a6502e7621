import { type Kysely, sql } from 'kysely'

/** Who likes which comment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists comment_likes (
      comment_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      primary key (comment_id, member_id),
      key comment_likes_mine (page_id, member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
