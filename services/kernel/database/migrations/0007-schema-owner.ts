import { type Kysely, sql } from 'kysely'

/** The service that a schema belongs to: at most one row. `migrate` fills it before a service's first migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists schema_owner (
      id tinyint unsigned not null default 1 primary key,
      service varchar(64) character set ascii collate ascii_bin not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
