import { type Kysely, sql } from 'kysely'

/** Categories of pages. live_slug equals slug until the category is deleted, then it is null. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists categories (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      name varchar(120) not null,
      slug varchar(120) character set ascii collate ascii_bin not null,
      live_slug varchar(120) character set ascii collate ascii_bin null,
      description varchar(2000) null,
      icon varchar(64) null,
      color char(7) character set ascii collate ascii_bin null,
      sort_order int not null default 0,
      is_active tinyint not null default 1,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      deleted_at datetime(3) null,
      unique key categories_slug (workspace_id, live_slug),
      key categories_order (workspace_id, deleted_at, sort_order, name, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
