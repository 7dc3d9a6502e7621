import { type Kysely, sql } from 'kysely'

/**
 * Notifications that a member gets in a digest instead of a mail. delivery_id is that of the digest, null while the
 * notification waits for one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists digest_items (
      member_id char(24) character set ascii collate ascii_bin not null,
      notification_id char(24) character set ascii collate ascii_bin not null,
      delivery_id char(24) character set ascii collate ascii_bin null,
      created_at datetime(3) not null,
      primary key (member_id, notification_id),
      key digest_items_delivery (delivery_id),
      key digest_items_age (created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
