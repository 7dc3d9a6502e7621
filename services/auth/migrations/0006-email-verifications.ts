import { type Kysely, sql } from 'kysely'

/** Tokens of the mails that verify an address, by digest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists email_verifications (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin not null,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      token_digest char(64) character set ascii collate ascii_bin not null,
      is_used tinyint not null default 0,
      expires_at datetime(3) not null,
      created_at datetime(3) not null,
      unique key email_verifications_token (token_digest),
      key email_verifications_user (user_id, is_used),
      key email_verifications_expiry (expires_at),
      constraint email_verifications_of_user foreign key (user_id) references users (id) on delete cascade
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
