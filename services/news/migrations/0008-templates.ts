import { type Kysely, sql } from 'kysely'

/** Templates of pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists templates (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      name varchar(120) not null,
      description varchar(2000) null,
      content mediumtext not null,
      page_type varchar(16) character set ascii collate ascii_bin not null,
      usage_count int not null default 0,
      is_active tinyint not null default 1,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      deleted_at datetime(3) null,
      key templates_name (workspace_id, deleted_at, name)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
