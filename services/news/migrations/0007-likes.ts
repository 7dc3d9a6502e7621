import { type Kysely, sql } from 'kysely'

/** Reactions to pages: one per member and page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists likes (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      reaction_type varchar(16) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key likes_member (page_id, member_id),
      key likes_type (page_id, reaction_type),
      key likes_latest (page_id, updated_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
