import { type Kysely, sql } from 'kysely'

/** Mails queued for the notification service. Their contents are sealed, since links and codes open accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists mails (
      id char(24) character set ascii collate ascii_bin not null primary key,
      slug varchar(100) character set ascii collate ascii_bin not null,
      sealed text character set ascii collate ascii_bin not null,
      is_decoy tinyint not null default 0,
      attempts int unsigned not null default 0,
      next_attempt_at datetime(3) not null,
      created_at datetime(3) not null,
      key mails_due (next_attempt_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
