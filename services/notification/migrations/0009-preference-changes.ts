import { type Kysely, sql } from 'kysely'

/**
 * One row that every change of preferences increments, so that one read tells whether cached preferences are current.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists preference_changes (
      id tinyint unsigned not null primary key,
      changes bigint unsigned not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
