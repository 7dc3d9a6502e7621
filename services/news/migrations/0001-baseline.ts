import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Pages: the columns that lists show; the body is in page_bodies. Each sort order of the list has a covering index.
  // Who scheduled a page has their right checked again when it is due; schedule_refusal says why it wasn't published.
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
      scheduled_by text null,
      schedule_refusal varchar(255) null,
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
      key pages_created (workspace_id, deleted_at, created_at, id, status, created_by_id),
      key pages_status_created (workspace_id, deleted_at, status, created_at, id, created_by_id),
      key pages_viewed (workspace_id, deleted_at, view_count, id, status, created_by_id, like_count, comment_count),
      key pages_liked (workspace_id, deleted_at, like_count, id, status, created_by_id),
      key pages_children (workspace_id, parent_id, deleted_at, created_at, id),
      key pages_due (status, scheduled_at),
      key pages_published (workspace_id, deleted_at, published_at, created_at, id, status, created_by_id),
      key pages_status_published (workspace_id, deleted_at, status, published_at, created_at, id, created_by_id),
      key pages_category (workspace_id, deleted_at, category_id, published_at, created_at, id, status, created_by_id),
      key pages_type (workspace_id, deleted_at, page_type, published_at, created_at, id, status, created_by_id),
      key pages_type_category
        (workspace_id, deleted_at, page_type, category_id, published_at, created_at, id, status, created_by_id),
      key pages_author (created_by_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Editor documents, apart from what lists read. Stored as text, because JSON columns may reorder keys.
  await sql`
    create table if not exists page_bodies (
      page_id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      content mediumtext not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Search texts: folded title and excerpt of each live page as bytes, beside the columns that lists filter by. Narrow
  // rows in workspace order, so that one short scan counts even a very common word.
  await sql`
    create table if not exists page_texts (
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      page_type varchar(16) character set ascii collate ascii_bin not null,
      category_id char(24) character set ascii collate ascii_bin null,
      created_by_id char(24) character set ascii collate ascii_bin not null,
      body mediumblob not null,
      primary key (workspace_id, page_id),
      unique key page_texts_page (page_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Counts of live pages by status, type, category and author, with * for any: the totals of lists, updated by the
  // writing transaction. Published pages count under author * only.
  await sql`
    create table if not exists page_counters (
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_type varchar(16) character set ascii collate ascii_bin not null,
      category_id varchar(24) character set ascii collate ascii_bin not null,
      author_id varchar(24) character set ascii collate ascii_bin not null,
      status varchar(16) character set ascii collate ascii_bin not null,
      total int not null,
      primary key (workspace_id, page_type, category_id, author_id, status)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Earlier states of pages, one for each version that changed the content.
  await sql`
    create table if not exists page_revisions (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      version int not null,
      title varchar(255) not null,
      excerpt varchar(2000) null,
      content mediumtext not null,
      medias mediumtext not null,
      changed_fields varchar(1000) not null,
      created_by_id char(24) character set ascii collate ascii_bin null,
      credential_id char(24) character set ascii collate ascii_bin null,
      created_at datetime(3) not null,
      unique key page_revisions_version (page_id, version),
      key page_revisions_author (created_by_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Pinned pages. pages.pinned_until repeats the end of the pin for lists.
  await sql`
    create table if not exists pins (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      pinned_by char(24) character set ascii collate ascii_bin not null,
      sort_order int not null default 0,
      expires_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key pins_page (workspace_id, page_id),
      key pins_order (workspace_id, sort_order, created_at desc, id desc)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Categories of pages. live_slug equals slug until the category is deleted, then it is null.
  await sql`
    create table if not exists categories (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      name varchar(255) not null,
      slug varchar(120) character set ascii collate ascii_bin not null,
      live_slug varchar(120) character set ascii collate ascii_bin null,
      description varchar(5000) null,
      icon varchar(64) null,
      color char(7) character set ascii collate ascii_bin null,
      sort_order int not null default 0,
      is_active tinyint not null default 1,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      deleted_at datetime(3) null,
      unique key categories_slug (workspace_id, live_slug),
      key categories_order (workspace_id, deleted_at, sort_order, name, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Templates of pages.
  await sql`
    create table if not exists templates (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      name varchar(255) not null,
      description varchar(5000) null,
      content mediumtext not null,
      page_type varchar(16) character set ascii collate ascii_bin not null,
      usage_count int not null default 0,
      is_active tinyint not null default 1,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      deleted_at datetime(3) null,
      key templates_name (workspace_id, deleted_at, name)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Comments of pages and their replies.
  await sql`
    create table if not exists comments (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      parent_id char(24) character set ascii collate ascii_bin null,
      member_id char(24) character set ascii collate ascii_bin not null,
      content varchar(10000) not null,
      like_count int not null default 0,
      is_edited tinyint not null default 0,
      edited_at datetime(3) null,
      created_at datetime(3) not null,
      deleted_at datetime(3) null,
      key comments_page (page_id, created_at, id),
      key comments_author (member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Who likes which comment.
  await sql`
    create table if not exists comment_likes (
      comment_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      primary key (comment_id, member_id),
      key comment_likes_mine (page_id, member_id),
      key comment_likes_member (member_id, created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Reactions to pages: one per member and page.
  await sql`
    create table if not exists likes (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      reaction_type varchar(16) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      unique key likes_member (page_id, member_id),
      key likes_type (page_id, reaction_type),
      key likes_latest (page_id, updated_at, id),
      key likes_author (member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Polls of pages; options is JSON text: [{id, label}] in order.
  await sql`
    create table if not exists polls (
      page_id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      question varchar(255) null,
      options text not null,
      multiple_choice tinyint not null default 0,
      closes_at datetime(3) null,
      voters_count int not null default 0,
      updated_at datetime(3) not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Options that members chose in polls.
  await sql`
    create table if not exists poll_votes (
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      option_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      primary key (page_id, member_id, option_id),
      key poll_votes_option (page_id, option_id),
      key poll_votes_member (member_id, created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Every view of a page.
  await sql`
    create table if not exists page_views (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      duration int null,
      device_type varchar(16) character set ascii collate ascii_bin null,
      user_agent varchar(255) null,
      created_at datetime(3) not null,
      key page_views_latest (page_id, member_id, created_at, id),
      key page_views_member (member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Members who have seen a page.
  await sql`
    create table if not exists page_viewers (
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      primary key (page_id, member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Views of a page per day, in the workspace's time zone at the time of the view.
  await sql`
    create table if not exists page_days (
      page_id char(24) character set ascii collate ascii_bin not null,
      day date not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      views int not null,
      primary key (page_id, day)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Preferences of a member for a page. notify_on_like is null until the member chooses.
  await sql`
    create table if not exists page_preferences (
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      is_favorite tinyint not null default 0,
      is_bookmarked tinyint not null default 0,
      is_following tinyint not null default 0,
      notify_on_comment tinyint not null default 1,
      notify_on_like tinyint null,
      updated_at datetime(3) not null,
      primary key (page_id, member_id),
      key page_preferences_mine (workspace_id, member_id, updated_at, page_id),
      key page_preferences_member (member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Pages that every member of the workspace must acknowledge; pages.is_must_read repeats this for readers. due_order
  // is due_at, or the year 9999 without one.
  await sql`
    create table if not exists must_reads (
      page_id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      due_at datetime(3) null,
      due_order datetime(3) not null,
      reminded_at datetime(3) null,
      created_at datetime(3) not null,
      key must_reads_due (workspace_id, due_order, created_at, page_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Members who have acknowledged a must-read page.
  await sql`
    create table if not exists acknowledgements (
      page_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      created_at datetime(3) not null,
      primary key (page_id, member_id),
      key acknowledgements_member (member_id, created_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
