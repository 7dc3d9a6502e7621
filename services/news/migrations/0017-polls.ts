import { type Kysely, sql } from 'kysely'

/** Polls of pages; options is JSON text: [{id, label}] in order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists polls (
      page_id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      question varchar(255) null,
      options text not null,
      multiple_choice tinyint not null default 0,
      closes_at datetime(3) null,
      voters_count int not null default 0,
      updated_at datetime(3) not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
