import { type Kysely, sql } from 'kysely'

/** Handled events, recorded in the transaction of their effect. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists inbox (
      consumer varchar(100) character set ascii collate ascii_bin not null,
      event_id varchar(150) character set ascii collate ascii_bin not null,
      done_at datetime(3) not null default current_timestamp(3),
      primary key (consumer, event_id),
      key inbox_done (done_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
