import { type Kysely, sql } from 'kysely'

/** Steps of the runs: the intent is written before the effect, the result after it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists hotel_setup_steps (
      setup_id char(24) character set ascii collate ascii_bin not null,
      position int not null,
      name varchar(32) character set ascii collate ascii_bin not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      attempts int not null default 0,
      idempotency_key varchar(64) character set ascii collate ascii_bin not null,
      result mediumtext null,
      error varchar(500) null,
      uncertain tinyint not null default 0,
      claim char(64) character set ascii collate ascii_bin null,
      started_at datetime(3) null,
      finished_at datetime(3) null,
      primary key (setup_id, position),
      unique key hotel_setup_steps_claim (claim)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
