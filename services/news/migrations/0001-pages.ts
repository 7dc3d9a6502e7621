import { type Kysely, sql } from 'kysely'

/** Pages: the columns that lists show; the body is in page_bodies. Each sort order of the list has a covering index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists pages (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      title varchar(255) not null,
      excerpt varchar(2000) null,
      parent_id char(24) character set ascii collate ascii_bin null,
      page_type varchar(16) character set ascii collate ascii_bin not null,
      category_id char(24) character set ascii collate ascii_bin null,
      created_by_id char(24) character set ascii collate ascii_bin not null,
      updated_by_id char(24) character set ascii collate ascii_bin null,
      medias mediumtext not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      published_at datetime(3) null,
      scheduled_at datetime(3) null,
      publish_failures int not null default 0,
      publish_retry_at datetime(3) null,
      view_count int not null default 0,
      like_count int not null default 0,
      comment_count int not null default 0,
      timed_views int not null default 0,
      timed_seconds bigint not null default 0,
      enable_comments tinyint not null default 1,
      enable_likes tinyint not null default 1,
      enable_notifications tinyint not null default 1,
      pinned_until datetime(3) null,
      event_starts_at datetime(3) null,
      event_ends_at datetime(3) null,
      event_location varchar(255) null,
      is_must_read tinyint not null default 0,
      version int not null default 1,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      deleted_at datetime(3) null,
      key pages_published (workspace_id, deleted_at, published_at, id, status, created_by_id),
      key pages_status_published (workspace_id, deleted_at, status, published_at, id, created_by_id),
      key pages_created (workspace_id, deleted_at, created_at, id, status, created_by_id),
      key pages_status_created (workspace_id, deleted_at, status, created_at, id, created_by_id),
      key pages_viewed (workspace_id, deleted_at, view_count, id, status, created_by_id, like_count, comment_count),
      key pages_liked (workspace_id, deleted_at, like_count, id, status, created_by_id),
      key pages_category (workspace_id, deleted_at, category_id, published_at, id, status, created_by_id),
      key pages_type (workspace_id, deleted_at, page_type, published_at, id, status, created_by_id),
      key pages_type_category (workspace_id, deleted_at, page_type, category_id, published_at, id, status, created_by_id),
      key pages_children (workspace_id, parent_id, deleted_at, created_at, id),
      key pages_due (status, scheduled_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
