import { type Kysely, sql } from 'kysely'

/** Events to publish, in order of `position`. Published rows stay a day, in case the broker loses them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists outbox (
      position bigint unsigned not null auto_increment primary key,
      id char(24) character set ascii collate ascii_bin not null,
      subject varchar(200) character set ascii collate ascii_bin not null,
      headers text null,
      body mediumtext not null,
      created_at datetime(3) not null default current_timestamp(3),
      published_at datetime(3) null,
      stream_seq bigint unsigned null,
      unique key outbox_id (id),
      key outbox_published (published_at, position),
      key outbox_stream (stream_seq)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
