import { type Kysely, sql } from 'kysely'

/**
 * Sums of the counters of a workspace's live pages, updated in the same transactions. Spread over sixteen rows by page,
 * so that writers of different pages rarely wait for each other. Unread since 0.1; dropped one version later [D230].
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists interaction_totals (
      workspace_id char(24) character set ascii collate ascii_bin not null,
      part tinyint unsigned not null,
      views bigint not null default 0,
      likes bigint not null default 0,
      comments bigint not null default 0,
      primary key (workspace_id, part)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
