import { type Kysely, sql } from 'kysely'

/** Counters of rate limits: one row per subject and window, shared by all processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists rate_counters (
      name varchar(100) character set ascii collate ascii_bin not null primary key,
      hits int unsigned not null,
      ends_at datetime(3) not null,
      key rate_counters_end (ends_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
