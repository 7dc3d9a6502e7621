import { type Kysely, sql } from 'kysely'

/**
 * System administrators of the legacy version, who are not users. `user_id` is the account that one was created with;
 * it shares that account's password and ends with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists administrators (
      id char(24) character set ascii collate ascii_bin not null primary key,
      user_id char(24) character set ascii collate ascii_bin null,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      password_hash varchar(72) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key administrators_email (email),
      key administrators_user (user_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
