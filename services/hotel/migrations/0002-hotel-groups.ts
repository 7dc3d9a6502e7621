import { type Kysely, sql } from 'kysely'

/** Groups of hotels. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists hotel_groups (
      id char(24) character set ascii collate ascii_bin not null primary key,
      name varchar(120) not null,
      description varchar(2000) null,
      logo_url varchar(2048) null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3),
      deleted_at datetime(3) null,
      key hotel_groups_name (deleted_at, name, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
