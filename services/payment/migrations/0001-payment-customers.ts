import { type Kysely, sql } from 'kysely'

/**
 * Customers at the provider. `live_hotel_id` is the hotel until the customer is deleted, and unique: a hotel has one
 * customer at most.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists payment_customers (
      id varchar(255) character set ascii collate ascii_bin not null primary key,
      hotel_id char(24) character set ascii collate ascii_bin not null,
      live_hotel_id char(24) character set ascii collate ascii_bin null,
      email varchar(254) not null,
      name varchar(120) not null,
      created_at datetime(3) not null,
      deleted_at datetime(3) null,
      unique key payment_customers_hotel (live_hotel_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
