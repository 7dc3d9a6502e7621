import { type Kysely, sql } from 'kysely'

/** Devices that receive pushes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists subscriptions (
      id char(24) character set ascii collate ascii_bin not null primary key,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      device_token varchar(512) character set ascii collate ascii_bin not null,
      device_type varchar(16) character set ascii collate ascii_bin not null,
      platform varchar(16) character set ascii collate ascii_bin not null,
      app_version varchar(64) null,
      device_model varchar(120) null,
      os_version varchar(64) null,
      is_active tinyint unsigned not null default 1,
      last_used_at datetime(3) not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key subscriptions_token (device_token),
      key subscriptions_member (member_id, last_used_at),
      key subscriptions_push (workspace_id, member_id, is_active)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
