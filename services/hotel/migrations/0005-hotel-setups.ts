import { type Kysely, sql } from 'kysely'

/** Durable runs: state and lease of a hotel's set-up, deletion or renaming. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists hotel_setups (
      id char(24) character set ascii collate ascii_bin not null primary key,
      hotel_id char(24) character set ascii collate ascii_bin not null,
      hotel_name varchar(120) not null,
      kind varchar(16) character set ascii collate ascii_bin not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      input text not null,
      actor varchar(1000) not null,
      error text null,
      idempotency_key char(64) character set ascii collate ascii_bin null,
      request_digest char(64) character set ascii collate ascii_bin null,
      open_key varchar(64) character set ascii collate ascii_bin null,
      lease_owner char(24) character set ascii collate ascii_bin null,
      lease_until datetime(3) null,
      retry_at datetime(3) null,
      attempts int not null default 0,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3),
      unique key hotel_setups_idempotency (idempotency_key),
      unique key hotel_setups_open (open_key),
      key hotel_setups_due (status, lease_until, retry_at),
      key hotel_setups_newest (created_at, id),
      key hotel_setups_status (status, created_at, id),
      key hotel_setups_hotel (hotel_id, created_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
