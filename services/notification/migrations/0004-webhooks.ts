import { type Kysely, sql } from 'kysely'

/** Endpoints of hotels' own systems, and the deliveries to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists webhooks (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      url varchar(2000) not null,
      event_types json not null,
      description varchar(255) null,
      is_enabled tinyint(1) not null default 1,
      disabled_reason enum('gone','failing') character set ascii null,
      disabled_at datetime(3) null,
      failing_since datetime(3) null,
      secret varchar(512) character set ascii collate ascii_bin not null,
      previous_secret varchar(512) character set ascii collate ascii_bin null,
      previous_secret_until datetime(3) null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      key webhooks_workspace (workspace_id, created_at, id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // due_at is null once a delivery has ended; actor and person are those whom the body names.
  await sql`
    create table if not exists webhook_deliveries (
      id char(24) character set ascii collate ascii_bin not null primary key,
      workspace_id char(24) character set ascii collate ascii_bin not null,
      webhook_id char(24) character set ascii collate ascii_bin not null,
      event_type varchar(64) character set ascii collate ascii_bin not null,
      occurrence_id varchar(150) character set ascii collate ascii_bin not null,
      body mediumtext not null,
      named_actor_id char(24) character set ascii collate ascii_bin null,
      named_person_id char(24) character set ascii collate ascii_bin null,
      status enum('pending','delivered','failed') character set ascii not null default 'pending',
      attempts tinyint unsigned not null default 0,
      due_at datetime(3) null,
      attempted_at datetime(3) null,
      response_status smallint unsigned null,
      response_body varchar(1000) null,
      error varchar(255) null,
      created_at datetime(3) not null,
      unique key webhook_deliveries_event (webhook_id, occurrence_id, event_type),
      key webhook_deliveries_due (due_at, webhook_id),
      key webhook_deliveries_queue (webhook_id, due_at),
      key webhook_deliveries_status (webhook_id, status, created_at, id),
      key webhook_deliveries_latest (webhook_id, created_at, id),
      key webhook_deliveries_actor (named_actor_id),
      key webhook_deliveries_person (named_person_id)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
