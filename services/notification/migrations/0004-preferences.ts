import { type Kysely, sql } from 'kysely'

/** Notification preferences of a member, across all their workspaces [D94]. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists preferences (
      member_id char(24) character set ascii collate ascii_bin not null primary key,
      is_global_silent tinyint unsigned not null default 0,
      do_not_disturb tinyint unsigned not null default 0,
      dnd_until datetime(3) null,
      quiet_hours json null,
      category_prefs json not null,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
