import { type Kysely, sql } from 'kysely'

/** API credentials of ecosystems. The secret is stored encrypted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists ecosystem_credentials (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin not null,
      ecosystem_id char(24) character set ascii collate ascii_bin not null,
      api_key varchar(64) character set ascii collate ascii_bin not null,
      api_secret varchar(512) character set ascii collate ascii_bin not null,
      permissions json not null,
      is_active tinyint not null default 1,
      expires_at datetime(3) null,
      created_at datetime(3) not null,
      unique key ecosystem_credentials_key (api_key),
      key ecosystem_credentials_ecosystem (ecosystem_id, created_at, id),
      constraint ecosystem_credentials_of_user foreign key (user_id) references users (id) on delete cascade
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
