import { type Kysely, sql } from 'kysely'

/** Settings profiles; one may serve many hotels. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
