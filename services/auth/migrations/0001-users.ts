import { type Kysely, sql } from 'kysely'

/**
 * Accounts of both versions. A deleted account keeps its row with a null e-mail, which frees the address: a unique key
 * allows any number of nulls.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists users (
      id char(24) character set ascii collate ascii_bin not null primary key,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin null,
      former_email varchar(254) character set utf8mb4 collate utf8mb4_bin null,
      password_hash varchar(72) character set ascii collate ascii_bin not null,
      first_name varchar(120) null,
      last_name varchar(120) null,
      photo_url varchar(2048) null,
      is_tmp_password tinyint not null default 0,
      is_first_login tinyint not null default 0,
      is_forced tinyint not null default 0,
      is_active tinyint not null default 1,
      is_admin tinyint not null default 0,
      email_verified tinyint not null default 0,
      invitation_id char(24) character set ascii collate ascii_bin null,
      sign_up_pending tinyint not null default 0,
      tokens_valid_from datetime(3) null,
      last_login_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      deleted_at datetime(3) null,
      unique key users_email (email)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
