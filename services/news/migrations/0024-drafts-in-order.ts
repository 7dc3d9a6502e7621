import { type Kysely, sql } from 'kysely'

/**
 * In lists by publication date, pages that were never published are ordered by creation. The indexes keep their names
 * and first columns, so running processes are unaffected, and recreating them loses no data.
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
