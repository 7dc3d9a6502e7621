import { type Kysely, sql } from 'kysely'

/** Sign-ins of both versions. A session is also the family of the refresh tokens from one sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists sessions (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin null,
      administrator_id char(24) character set ascii collate ascii_bin null,
      member_id char(24) character set ascii collate ascii_bin null,
      app_type varchar(16) character set ascii collate ascii_bin null,
      user_agent varchar(1000) null,
      ip varchar(64) character set ascii collate ascii_bin null,
      device varchar(32) null,
      os varchar(32) null,
      is_active tinyint not null default 1,
      last_activity datetime(3) not null,
      expires_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      key sessions_user (user_id, is_active, last_activity, id),
      key sessions_member (member_id, is_active, last_activity),
      key sessions_activity (last_activity, id),
      key sessions_state (is_active, last_activity, id),
      key sessions_expiry (expires_at),
      constraint sessions_of_user foreign key (user_id) references users (id) on delete cascade,
      constraint sessions_of_administrator foreign key (administrator_id) references administrators (id)
        on delete cascade
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
