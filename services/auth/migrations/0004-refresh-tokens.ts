import { type Kysely, sql } from 'kysely'

/** Refresh tokens, by digest. `used_at` is the time of the exchange; a token can be exchanged once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists refresh_tokens (
      id char(24) character set ascii collate ascii_bin not null primary key,
      token_digest char(64) character set ascii collate ascii_bin not null,
      session_id char(24) character set ascii collate ascii_bin not null,
      kind varchar(16) character set ascii collate ascii_bin not null,
      is_revoked tinyint not null default 0,
      used_at datetime(3) null,
      expires_at datetime(3) not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key refresh_tokens_digest (token_digest),
      key refresh_tokens_session (session_id, is_revoked),
      key refresh_tokens_expiry (expires_at),
      constraint refresh_tokens_of_session foreign key (session_id) references sessions (id) on delete cascade
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
