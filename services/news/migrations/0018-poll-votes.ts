import { type Kysely, sql } from 'kysely'

/** Options that members chose in polls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists poll_votes (
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      option_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      primary key (page_id, member_id, option_id),
      key poll_votes_option (page_id, option_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
