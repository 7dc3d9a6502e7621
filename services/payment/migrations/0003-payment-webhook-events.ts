import { type Kysely, sql } from 'kysely'

/** Processed messages of the provider, so that none takes effect twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists payment_webhook_events (
      id varchar(255) character set ascii collate ascii_bin not null primary key,
      type varchar(100) character set ascii collate ascii_bin not null,
      received_at datetime(3) not null,
      key payment_webhook_events_received (received_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
