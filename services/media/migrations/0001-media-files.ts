import { type Kysely, sql } from 'kysely'

/** Stored files. The bytes are stored under the id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists media_files (
      id char(24) character set ascii collate ascii_bin not null primary key,
      ecosystem_id char(24) character set ascii collate ascii_bin not null,
      folder varchar(120) character set ascii collate ascii_bin not null,
      file_name varchar(255) not null,
      content_type varchar(127) character set ascii collate ascii_bin not null,
      size int unsigned not null,
      width int unsigned null,
      height int unsigned null,
      has_thumbnail tinyint not null,
      thumbnail_failures int not null default 0,
      thumbnail_retry_at datetime(3) null,
      uploaded_by char(24) character set ascii collate ascii_bin null,
      created_at datetime(3) not null,
      deleted_at datetime(3) null,
      key media_files_newest (ecosystem_id, deleted_at, created_at, id),
      key media_files_folder (ecosystem_id, folder, deleted_at, created_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
