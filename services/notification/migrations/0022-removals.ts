import { type Kysely, sql } from 'kysely'
import { addColumn, addIndex } from '../../kernel/database/schema.ts'

/**
 * Finds the notifications of an entity or a page, and who has not read them, so that what is removed disappears from
 * inboxes, pushes, mails and digests.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumn(db, 'notifications', 'page_id', 'char(24) character set ascii collate ascii_bin null')
  await addColumn(db, 'notifications', 'withdrawn_at', 'datetime(3) null')
  await sql`
    update notifications set page_id = if(type = 'page', entity_id, json_unquote(json_extract(data, '$.pageId')))
    where page_id is null and type in ('page', 'comment', 'like')
      and if(type = 'page', entity_id, json_unquote(json_extract(data, '$.pageId'))) regexp '^[0-9a-f]{24}$'
  `.execute(db)
  await addIndex(db, 'notifications', 'notifications_page', 'page_id')
  await addIndex(db, 'notifications', 'notifications_entity', 'entity_id, type, category, named_member_id')
  await addIndex(db, 'receivers', 'receivers_unread', 'notification_id, is_read')
  await addIndex(db, 'digest_items', 'digest_items_notification', 'notification_id')
}
