import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Stored files. The bytes are stored under the id.
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

  // Used space and quota of each ecosystem. `max_bytes` is null while the default quota applies.
  await sql`
    create table if not exists media_storage (
      ecosystem_id char(24) character set ascii collate ascii_bin not null primary key,
      max_bytes bigint null,
      used_bytes bigint not null default 0,
      reserved_bytes bigint not null default 0,
      files_count int not null default 0,
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Uploads in progress with the space they reserve. A row that isn't renewed belongs to a dead process.
  await sql`
    create table if not exists media_uploads (
      id char(24) character set ascii collate ascii_bin not null primary key,
      ecosystem_id char(24) character set ascii collate ascii_bin not null,
      reserved_bytes bigint not null,
      renewed_at datetime(3) not null,
      key media_uploads_renewed (renewed_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Deleted files whose bytes are still stored.
  await sql`
    create table if not exists media_removals (
      id char(24) character set ascii collate ascii_bin not null primary key,
      created_at datetime(3) not null,
      key media_removals_created (created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
