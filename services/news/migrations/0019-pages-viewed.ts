import { type Kysely, sql } from 'kysely'

/** The index of the most viewed pages holds all counters, so that the sums of a workspace are made without its pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pages
      drop key pages_viewed,
      add key pages_viewed (workspace_id, deleted_at, view_count, id, status, created_by_id, like_count, comment_count)
  `.execute(db)
}
