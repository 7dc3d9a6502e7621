import { type Kysely, sql } from 'kysely'

/** Mails of one kind to one address within the current hour; `name` is a digest of both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists mail_counters (
      name char(64) character set ascii collate ascii_bin not null primary key,
      mails int unsigned not null,
      ends_at datetime(3) not null,
      key mail_counters_end (ends_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
