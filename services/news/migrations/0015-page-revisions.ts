import { type Kysely, sql } from 'kysely'

/** Earlier states of pages, one for each version that changed the content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists page_revisions (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      version int not null,
      title varchar(255) not null,
      excerpt varchar(2000) null,
      content mediumtext not null,
      medias mediumtext not null,
      changed_fields varchar(1000) not null,
      created_by_id char(24) character set ascii collate ascii_bin null,
      created_at datetime(3) not null,
      unique key page_revisions_version (page_id, version)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
