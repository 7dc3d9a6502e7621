import { type Kysely, sql } from 'kysely'

/** Members who get digests, or got them; due_at is null while none is to come. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists digests (
      member_id char(24) character set ascii collate ascii_bin not null primary key,
      frequency enum('off','daily','weekly') character set ascii not null,
      due_at datetime(3) null,
      key digests_due (due_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
