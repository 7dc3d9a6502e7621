import { type Kysely, sql } from 'kysely'

/** Queue of pushes and mails with their results. due_at is null once they are settled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists deliveries (
      id char(24) character set ascii collate ascii_bin not null primary key,
      notification_id char(24) character set ascii collate ascii_bin null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin null,
      lane varchar(16) character set ascii collate ascii_bin not null,
      subscription_id char(24) character set ascii collate ascii_bin null,
      sealed_mail mediumtext character set ascii collate ascii_bin null,
      idempotency_key varchar(160) character set utf8mb4 collate utf8mb4_bin null,
      status enum('pending','success','failed') character set ascii not null default 'pending',
      attempts tinyint unsigned not null default 0,
      due_at datetime(3) null,
      created_at datetime(3) not null,
      unique key deliveries_key (idempotency_key),
      key deliveries_due (lane, due_at),
      key deliveries_receiver (notification_id, member_id),
      key deliveries_period (workspace_id, created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
