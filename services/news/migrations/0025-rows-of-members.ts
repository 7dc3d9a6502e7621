import type { Kysely } from 'kysely'
import { addIndex } from '../../kernel/database/schema.ts'

/** Rows by member, newest first: the export of a member's data must not scan what all others wrote. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIndex(db, 'pages', 'pages_author', 'created_by_id')
  await addIndex(db, 'page_revisions', 'page_revisions_author', 'created_by_id')
  await addIndex(db, 'comments', 'comments_author', 'member_id')
  await addIndex(db, 'likes', 'likes_author', 'member_id')
  await addIndex(db, 'page_views', 'page_views_member', 'member_id')
  await addIndex(db, 'comment_likes', 'comment_likes_member', 'member_id, created_at')
  await addIndex(db, 'page_preferences', 'page_preferences_member', 'member_id')
  await addIndex(db, 'acknowledgements', 'acknowledgements_member', 'member_id, created_at')
  await addIndex(db, 'poll_votes', 'poll_votes_member', 'member_id, created_at')
}
