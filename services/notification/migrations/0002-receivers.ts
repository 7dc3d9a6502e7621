import { type Kysely, sql } from 'kysely'

/**
 * Who was notified. Narrow, for one event makes a thousand of them; channels are bits (channels.ts). The key alone
 * serves the inbox: a second one halves the speed of storing, and the counters tell how far a filtered list must look.
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
