import { type Kysely, sql } from 'kysely'

/**
 * Pages that every member of the workspace must acknowledge; pages.is_must_read repeats this for readers. due_order is
 * due_at, or the year 9999 without one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists must_reads (
      page_id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      due_at datetime(3) null,
      due_order datetime(3) not null,
      reminded_at datetime(3) null,
      created_at datetime(3) not null,
      key must_reads_due (workspace_id, due_order, created_at, page_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
