import { type Kysely, sql } from 'kysely'

/**
 * Pages and comments that were deleted, so that a late word of them brings nothing back: when it happened, and when the
 * stream told of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists ended_entities (
      workspace_id char(24) character set ascii collate ascii_bin not null,
      entity_id char(24) character set ascii collate ascii_bin not null,
      ended_at datetime(3) not null,
      told_at datetime(3) not null,
      primary key (workspace_id, entity_id),
      key ended_entities_age (told_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
