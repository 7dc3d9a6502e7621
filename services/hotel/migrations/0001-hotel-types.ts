import { type Kysely, sql } from 'kysely'

/** Kinds of ecosystem. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists hotel_types (
      id char(24) character set ascii collate ascii_bin not null primary key,
      name varchar(120) not null,
      description varchar(2000) null,
      icon varchar(64) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3),
      unique key hotel_types_name (name)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
