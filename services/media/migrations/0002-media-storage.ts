import { type Kysely, sql } from 'kysely'

/** Used space and quota of each ecosystem. `max_bytes` is null while the default quota applies. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
