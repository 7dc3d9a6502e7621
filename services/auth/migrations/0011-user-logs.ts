import { type Kysely, sql } from 'kysely'

/** Log records of the legacy version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists user_logs (
      id char(24) character set ascii collate ascii_bin not null primary key,
      timestamp datetime(3) not null,
      user_id char(24) character set ascii collate ascii_bin null,
      level varchar(8) character set ascii collate ascii_bin not null,
      message varchar(500) not null,
      meta json null,
      key user_logs_user (user_id, timestamp),
      key user_logs_time (timestamp)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
