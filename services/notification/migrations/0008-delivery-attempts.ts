import { type Kysely, sql } from 'kysely'

/** One row per attempt [D41]. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists delivery_attempts (
      id char(24) character set ascii collate ascii_bin not null primary key,
      delivery_id char(24) character set ascii collate ascii_bin not null,
      notification_id char(24) character set ascii collate ascii_bin null,
      member_id char(24) character set ascii collate ascii_bin null,
      channel enum('push','email','socket') character set ascii not null,
      status enum('success','failed','retry') character set ascii not null,
      attempt_number int unsigned not null default 1,
      provider varchar(64) null,
      provider_id varchar(255) null,
      provider_response json null,
      error varchar(1000) null,
      error_code varchar(100) null,
      sent_at datetime(3) not null,
      delivered_at datetime(3) null,
      created_at datetime(3) not null default current_timestamp(3),
      key delivery_attempts_delivery (delivery_id, attempt_number),
      key delivery_attempts_log (notification_id, sent_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
