import { type Kysely, sql } from 'kysely'

/**
 * Deleted pages and comments, so that a late event about one creates no notification: when the deletion happened, and
 * when it reached the stream.
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
