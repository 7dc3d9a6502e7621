import { type Kysely, sql } from 'kysely'

/**
 * Counters of a member's inbox by type, updated in the transaction of the change. Dismissed ones count separately. Each
 * storing lane has its own rows, so that lanes don't wait for each other: only the sum is meaningful.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists member_counters (
      member_id char(24) character set ascii collate ascii_bin not null,
      type varchar(100) character set ascii collate ascii_bin not null,
      lane tinyint unsigned not null,
      total int not null default 0,
      unread int not null default 0,
      dismissed int not null default 0,
      primary key (member_id, type, lane)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
