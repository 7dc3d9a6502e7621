import { type Kysely, sql } from 'kysely'

/**
 * Lists by publication: pages that were never published come in the order of their creation.
 * The indexes keep their names and their first columns, which takes nothing away.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table pages
      drop key pages_published,
      drop key pages_status_published,
      drop key pages_category,
      drop key pages_type,
      drop key pages_type_category,
      add key pages_published (workspace_id, deleted_at, published_at, created_at, id, status, created_by_id),
      add key pages_status_published (workspace_id, deleted_at, status, published_at, created_at, id, created_by_id),
      add key pages_category (workspace_id, deleted_at, category_id, published_at, created_at, id, status, created_by_id),
      add key pages_type (workspace_id, deleted_at, page_type, published_at, created_at, id, status, created_by_id),
      add key pages_type_category
        (workspace_id, deleted_at, page_type, category_id, published_at, created_at, id, status, created_by_id)
  `.execute(db)
}
