import { type Kysely, sql } from 'kysely'

/** Uploads in progress with the space they reserve. A row that isn't renewed belongs to a dead process. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists media_uploads (
      id char(24) character set ascii collate ascii_bin not null primary key,
      ecosystem_id char(24) character set ascii collate ascii_bin not null,
      reserved_bytes bigint not null,
      renewed_at datetime(3) not null,
      key media_uploads_renewed (renewed_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
