import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One notification per occurrence, with texts in both languages and delivery counters. The named_ columns find
  // what names a member, for an erasure; page_id and withdrawn_at serve the removal of what a notification is about.
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
      named_actor_id char(24) character set ascii collate ascii_bin null,
      named_member_id char(24) character set ascii collate ascii_bin null,
      actor_type varchar(16) character set ascii collate ascii_bin not null,
      entity_id varchar(255) null,
      entity_type varchar(100) character set ascii collate ascii_bin null,
      page_id char(24) character set ascii collate ascii_bin null,
      channels tinyint unsigned not null,
      priority tinyint unsigned not null default 1,
      receiver_count int not null default 0,
      socket_count int not null default 0,
      sent_count int not null default 0,
      delivered_count int not null default 0,
      read_count int not null default 0,
      clicked_count int not null default 0,
      failed_count int not null default 0,
      withdrawn_at datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key notifications_occurrence (workspace_id, occurrence_id),
      key notifications_period (workspace_id, created_at),
      key notifications_named_actor (named_actor_id),
      key notifications_named_member (named_member_id),
      key notifications_page (page_id),
      key notifications_entity (entity_id, type, category, named_member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Receivers of notifications. Narrow, because an event may insert a thousand; channels are bits (channels.ts).
  // Few indexes, which would slow down inserts: the inbox uses the key, and the counters bound the scan of a filtered
  // list. workspace_id is empty for none.
  await sql`
    create table if not exists receivers (
      member_id char(24) character set ascii collate ascii_bin not null,
      notification_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null default '',
      type varchar(100) character set ascii collate ascii_bin not null,
      status enum('pending','sent','delivered','read','failed') character set ascii not null default 'pending',
      channels tinyint unsigned not null,
      sent_channels tinyint unsigned not null default 0,
      delivered_channels tinyint unsigned not null default 0,
      is_read tinyint unsigned not null default 0,
      is_dismissed tinyint unsigned not null default 0,
      read_at datetime(3) null,
      clicked_at datetime(3) null,
      dismissed_at datetime(3) null,
      primary key (member_id, notification_id),
      key receivers_unread (notification_id, is_read)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Counters of a member's inbox by workspace and type, updated in the transaction of the change. Dismissed ones count
  // separately. Storing events and members' own changes have their own rows (lane), so that neither waits for the
  // other: only the sum is meaningful.
  await sql`
    create table if not exists member_counters (
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null default '',
      type varchar(100) character set ascii collate ascii_bin not null,
      lane tinyint unsigned not null,
      total int not null default 0,
      unread int not null default 0,
      dismissed int not null default 0,
      primary key (member_id, workspace_id, type, lane)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Queue of pushes and mails with their results. due_at is null once they are settled.
  await sql`
    create table if not exists deliveries (
      id char(24) character set ascii collate ascii_bin not null primary key,
      notification_id char(24) character set ascii collate ascii_bin null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      member_id char(24) character set ascii collate ascii_bin null,
      lane varchar(16) character set ascii collate ascii_bin not null,
      subscription_id char(24) character set ascii collate ascii_bin null,
      sealed_mail mediumtext character set ascii collate ascii_bin null,
      idempotency_key varchar(160) character set utf8mb4 collate utf8mb4_bin null,
      status enum('pending','success','failed') character set ascii not null default 'pending',
      attempts tinyint unsigned not null default 0,
      due_at datetime(3) null,
      created_at datetime(3) not null,
      unique key deliveries_key (idempotency_key),
      key deliveries_due (lane, due_at),
      key deliveries_receiver (notification_id, member_id),
      key deliveries_period (workspace_id, created_at),
      key deliveries_member (member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // One row per attempt.
  await sql`
    create table if not exists delivery_attempts (
      id char(24) character set ascii collate ascii_bin not null primary key,
      delivery_id char(24) character set ascii collate ascii_bin not null,
      notification_id char(24) character set ascii collate ascii_bin null,
      member_id char(24) character set ascii collate ascii_bin null,
      channel enum('push','email','socket') character set ascii not null,
      status enum('success','failed','retry') character set ascii not null,
      attempt_number int unsigned not null default 1,
      provider varchar(64) null,
      provider_id varchar(255) null,
      provider_response json null,
      error varchar(1000) null,
      error_code varchar(100) null,
      sent_at datetime(3) not null,
      created_at datetime(3) not null default current_timestamp(3),
      key delivery_attempts_delivery (delivery_id, attempt_number),
      key delivery_attempts_log (notification_id, sent_at, id),
      key delivery_attempts_member (member_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Results of deliveries by hour, so that a chart over weeks needn't read the log.
  await sql`
    create table if not exists delivery_hours (
      hour datetime not null,
      channel enum('push','email','socket') character set ascii not null,
      status enum('success','failed','retry') character set ascii not null,
      deliveries int unsigned not null,
      primary key (hour, channel, status)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Mails of one kind to one address within the current hour; `name` is a digest of both.
  await sql`
    create table if not exists mail_counters (
      name char(64) character set ascii collate ascii_bin not null primary key,
      mails int unsigned not null,
      ends_at datetime(3) not null,
      key mail_counters_end (ends_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Members who get digests, or got them; due_at is null while none is to come.
  await sql`
    create table if not exists digests (
      member_id char(24) character set ascii collate ascii_bin not null primary key,
      frequency enum('off','daily','weekly') character set ascii not null,
      due_at datetime(3) null,
      key digests_due (due_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Notifications that a member gets in a digest instead of a mail. delivery_id is that of the digest, null while the
  // notification waits for one.
  await sql`
    create table if not exists digest_items (
      member_id char(24) character set ascii collate ascii_bin not null,
      notification_id char(24) character set ascii collate ascii_bin not null,
      delivery_id char(24) character set ascii collate ascii_bin null,
      created_at datetime(3) not null,
      primary key (member_id, notification_id),
      key digest_items_delivery (delivery_id),
      key digest_items_age (created_at),
      key digest_items_notification (notification_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Notification preferences of a member, across all their workspaces.
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

  // One row that every change of preferences increments, so that one read tells whether cached preferences are current.
  await sql`
    create table if not exists preference_changes (
      id tinyint unsigned not null primary key,
      changes bigint unsigned not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Devices that receive pushes.
  await sql`
    create table if not exists subscriptions (
      id char(24) character set ascii collate ascii_bin not null primary key,
      member_id char(24) character set ascii collate ascii_bin not null,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      device_token varchar(512) character set ascii collate ascii_bin not null,
      device_type varchar(16) character set ascii collate ascii_bin not null,
      platform varchar(16) character set ascii collate ascii_bin not null,
      app_version varchar(64) null,
      device_model varchar(120) null,
      os_version varchar(64) null,
      is_active tinyint unsigned not null default 1,
      last_used_at datetime(3) not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key subscriptions_token (device_token),
      key subscriptions_member (member_id, last_used_at),
      key subscriptions_push (workspace_id, member_id, is_active)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Texts of notifications and mails, one row per slug and language.
  await sql`
    create table if not exists templates (
      id char(24) character set ascii collate ascii_bin not null primary key,
      slug varchar(100) character set ascii collate ascii_bin not null,
      language char(2) character set ascii collate ascii_bin not null,
      type varchar(100) character set ascii collate ascii_bin not null,
      category varchar(100) character set ascii collate ascii_bin not null,
      title varchar(255) not null,
      body text not null,
      email_subject varchar(255) null,
      email_body text null,
      variables json not null,
      default_data json null,
      is_active tinyint unsigned not null default 1,
      created_at datetime(3) not null default current_timestamp(3),
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      unique key templates_slug (slug, language)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Deleted pages and comments, so that a late event about one creates no notification: when the deletion happened, and
  // when it reached the stream.
  await sql`
    create table if not exists ended_entities (
      workspace_id char(24) character set ascii collate ascii_bin not null,
      entity_id char(24) character set ascii collate ascii_bin not null,
      ended_at datetime(3) not null,
      told_at datetime(3) not null,
      primary key (workspace_id, entity_id),
      key ended_entities_age (told_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Members erased lately, whom late events must not name.
  await sql`
    create table if not exists erased_members (
      id char(24) character set ascii collate ascii_bin not null primary key,
      erased_at datetime(3) not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
