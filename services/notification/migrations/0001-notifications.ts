import { type Kysely, sql } from 'kysely'

/** One notification per occurrence [D32], with texts in both languages and delivery counters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists notifications (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      ecosystem_id char(24) character set ascii collate ascii_bin null,
      occurrence_id varchar(150) character set ascii collate ascii_bin not null,
      type varchar(100) character set ascii collate ascii_bin not null,
      category varchar(100) character set ascii collate ascii_bin not null,
      title varchar(1000) not null,
      body text not null,
      title_en varchar(1000) not null,
      body_en text not null,
      data mediumtext null,
      mail_values mediumtext null,
      actor_id varchar(64) null,
      actor_type varchar(16) character set ascii collate ascii_bin not null,
      entity_id varchar(255) null,
      entity_type varchar(100) character set ascii collate ascii_bin null,
      channels tinyint unsigned not null,
      priority tinyint unsigned not null default 1,
      receiver_count int not null default 0,
      socket_count int not null default 0,
      sent_count int not null default 0,
      delivered_count int not null default 0,
      read_count int not null default 0,
      clicked_count int not null default 0,
      failed_count int not null default 0,
      archived_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key notifications_occurrence (workspace_id, occurrence_id),
      key notifications_period (workspace_id, created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
