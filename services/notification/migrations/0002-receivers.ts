import { type Kysely, sql } from 'kysely'

/**
 * Receivers of notifications. Narrow, because an event may insert a thousand; channels are bits (channels.ts). Without
 * a second index, which would slow down inserts: the inbox uses the key, and the counters bound the scan of a filtered
 * list.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists receivers (
      member_id char(24) character set ascii collate ascii_bin not null,
      notification_id char(24) character set ascii collate ascii_bin not null,
      type varchar(100) character set ascii collate ascii_bin not null,
      status enum('pending','sent','delivered','read','failed') character set ascii not null default 'pending',
      channels tinyint unsigned not null,
      sent_channels tinyint unsigned not null default 0,
      delivered_channels tinyint unsigned not null default 0,
      is_read tinyint unsigned not null default 0,
      is_dismissed tinyint unsigned not null default 0,
      read_at datetime(3) null,
      clicked_at datetime(3) null,
      dismissed_at datetime(3) null,
      primary key (member_id, notification_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
