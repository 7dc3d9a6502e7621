import { type Kysely, sql } from 'kysely'

/** Hotels. The id is the ecosystem's id everywhere; ready_at is set when the whole set-up is done. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists hotels (
      id char(24) character set ascii collate ascii_bin not null primary key,
      name varchar(120) not null,
      address varchar(255) null,
      city varchar(120) null,
      country varchar(120) null,
      phone varchar(40) null,
      email varchar(254) null,
      website varchar(2048) null,
      workspace char(24) character set ascii collate ascii_bin null,
      chat_app_id varchar(100) character set ascii collate ascii_bin null,
      chat_api_token varchar(1000) character set ascii collate ascii_bin null,
      qr_link varchar(2048) null,
      payment_customer_id varchar(255) character set ascii collate ascii_bin null,
      subscription_status varchar(16) character set ascii collate ascii_bin null,
      plan varchar(64) character set ascii collate ascii_bin null,
      trial_ends_at datetime(3) null,
      group_id char(24) character set ascii collate ascii_bin null,
      setting_id char(24) character set ascii collate ascii_bin null,
      type_id char(24) character set ascii collate ascii_bin null,
      is_active tinyint not null default 1,
      ready_at datetime(3) null,
      deleted_at datetime(3) null,
      ended_at datetime(3) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3),
      unique key hotels_chat_app (chat_app_id),
      unique key hotels_customer (payment_customer_id),
      key hotels_name (deleted_at, name, id),
      key hotels_total (deleted_at, is_active, ready_at),
      key hotels_overdue (ended_at, deleted_at),
      key hotels_group (group_id, deleted_at, name, id, ready_at),
      key hotels_city (city, deleted_at, name, id),
      key hotels_setting (setting_id),
      key hotels_type (type_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
