import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Kinds of ecosystem.
  await sql`
    create table if not exists hotel_types (
      id char(24) character set ascii collate ascii_bin not null primary key,
      name varchar(255) not null,
      description varchar(5000) null,
      icon varchar(64) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3),
      unique key hotel_types_name (name)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Groups of hotels.
  await sql`
    create table if not exists hotel_groups (
      id char(24) character set ascii collate ascii_bin not null primary key,
      name varchar(255) not null,
      description varchar(5000) null,
      logo_url varchar(2048) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3),
      deleted_at datetime(3) null,
      key hotel_groups_name (deleted_at, name, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Settings profiles; one may serve many hotels.
  await sql`
    create table if not exists hotel_settings (
      id char(24) character set ascii collate ascii_bin not null primary key,
      timezone varchar(64) not null,
      language varchar(16) not null,
      currency char(3) not null,
      enable_push tinyint not null default 1,
      enable_email tinyint not null default 1,
      enable_sms tinyint not null default 0,
      check_in_time char(5) not null,
      check_out_time char(5) not null,
      primary_color char(7) not null,
      secondary_color char(7) not null,
      logo_url varchar(2048) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3),
      key hotel_settings_oldest (created_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Hotels. The id is the ecosystem's id everywhere; ready_at is set when the whole set-up is done.
  await sql`
    create table if not exists hotels (
      id char(24) character set ascii collate ascii_bin not null primary key,
      name varchar(255) not null,
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

  // Durable runs: state and lease of a hotel's set-up, deletion or renaming.
  await sql`
    create table if not exists hotel_setups (
      id char(24) character set ascii collate ascii_bin not null primary key,
      hotel_id char(24) character set ascii collate ascii_bin not null,
      hotel_name varchar(255) not null,
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

  // Steps of the runs: the intent is written before the effect, the result after it.
  await sql`
    create table if not exists hotel_setup_steps (
      setup_id char(24) character set ascii collate ascii_bin not null,
      position int not null,
      name varchar(32) character set ascii collate ascii_bin not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      attempts int not null default 0,
      idempotency_key varchar(64) character set ascii collate ascii_bin not null,
      result mediumtext null,
      error varchar(500) null,
      uncertain tinyint not null default 0,
      claim char(64) character set ascii collate ascii_bin null,
      started_at datetime(3) null,
      finished_at datetime(3) null,
      primary key (setup_id, position),
      unique key hotel_setup_steps_claim (claim)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
