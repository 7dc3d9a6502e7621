import { type Kysely, sql } from 'kysely'

/** System administrators of the legacy version, who are no users (document 1, "Administrator"). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists administrators (
      id char(24) character set ascii collate ascii_bin not null primary key,
      email varchar(254) character set utf8mb4 collate utf8mb4_bin not null,
      password_hash varchar(72) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key administrators_email (email)
    ) engine=InnoDB default charset=utf8mb4
  `.execute(db)
}
