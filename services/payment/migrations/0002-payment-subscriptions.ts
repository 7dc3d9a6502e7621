import { type Kysely, sql } from 'kysely'

/**
 * Subscriptions as last reported by the provider. `told_at` is the time of that report, null when unknown. `noted_at`
 * is when the platform first recorded the subscription, since the provider's `created_at` counts in seconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
      cancel_at_period_end tinyint(1) not null,
      cancelled_at datetime(3) null,
      told_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      noted_at datetime(6) not null default current_timestamp(6),
      key payment_subscriptions_customer (customer_id, noted_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
