import { type Kysely, sql } from 'kysely'

/** Texts of notifications and mails, one row per slug and language. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists templates (
      id char(24) character set ascii collate ascii_bin not null primary key,
      slug varchar(100) character set ascii collate ascii_bin not null,
      language char(2) character set ascii collate ascii_bin not null,
      type varchar(100) character set ascii collate ascii_bin not null,
      category varchar(100) character set ascii collate ascii_bin not null,
      title varchar(255) not null,
      body text not null,
      email_subject varchar(255) null,
      email_body text null,
      variables json not null,
      default_data json null,
      is_active tinyint unsigned not null default 1,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key templates_slug (slug, language)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
