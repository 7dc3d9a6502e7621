import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Customers at the provider. `live_hotel_id` is the hotel until the customer is deleted, and unique: a hotel has one
  // customer at most.
  await sql`
    create table if not exists payment_customers (
      id varchar(255) character set ascii collate ascii_bin not null primary key,
      hotel_id char(24) character set ascii collate ascii_bin not null,
      live_hotel_id char(24) character set ascii collate ascii_bin null,
      email varchar(254) not null,
      name varchar(255) not null,
      created_at datetime(3) not null,
      deleted_at datetime(3) null,
      unique key payment_customers_hotel (live_hotel_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Subscriptions as last reported by the provider. `told_at` is the time of that report, null when unknown. `noted_at`
  // is when the platform first recorded the subscription, since the provider's `created_at` counts in seconds.
  // `past_due` is 1 while a payment is overdue that the provider still collects.
  await sql`
    create table if not exists payment_subscriptions (
      id varchar(255) character set ascii collate ascii_bin not null primary key,
      customer_id varchar(255) character set ascii collate ascii_bin not null,
      hotel_id char(24) character set ascii collate ascii_bin not null,
      product_id varchar(255) character set ascii collate ascii_bin not null,
      plan varchar(64) character set ascii collate ascii_bin not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      ended tinyint(1) not null,
      trial_ends_at datetime(3) null,
      current_period_ends_at datetime(3) null,
      past_due tinyint(1) not null default 0,
      cancel_at_period_end tinyint(1) not null,
      cancelled_at datetime(3) null,
      told_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      noted_at datetime(6) not null default current_timestamp(6),
      key payment_subscriptions_customer (customer_id, noted_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Processed messages of the provider, so that none takes effect twice.
  await sql`
    create table if not exists payment_webhook_events (
      id varchar(255) character set ascii collate ascii_bin not null primary key,
      type varchar(100) character set ascii collate ascii_bin not null,
      received_at datetime(3) not null,
      key payment_webhook_events_received (received_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
