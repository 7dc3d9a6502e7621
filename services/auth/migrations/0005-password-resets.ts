import { type Kysely, sql } from 'kysely'

/** Reset requests of both versions. One for an unknown e-mail has no user: it costs the same but can't be used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists password_resets (
      id char(24) character set ascii collate ascii_bin not null primary key,
      kind varchar(16) character set ascii collate ascii_bin not null,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      user_id char(24) character set ascii collate ascii_bin null,
      token_digest char(64) character set ascii collate ascii_bin not null,
      sealed_code varchar(255) character set ascii collate ascii_bin null,
      sealed_token varchar(1024) character set ascii collate ascii_bin null,
      wrong_codes int not null default 0,
      is_used tinyint not null default 0,
      expires_at datetime(3) not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key password_resets_token (token_digest),
      key password_resets_email (email, kind, is_used, created_at),
      key password_resets_expiry (expires_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
