import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Events to publish, in order of `position`. Published rows stay a day, in case the broker loses them.
  await sql`
    create table if not exists outbox (
      position bigint unsigned not null auto_increment primary key,
      id char(24) character set ascii collate ascii_bin not null,
      subject varchar(200) character set ascii collate ascii_bin not null,
      headers text null,
      body mediumtext not null,
      created_at datetime(3) not null default current_timestamp(3),
      published_at datetime(3) null,
      stream_seq bigint unsigned null,
      unique key outbox_id (id),
      key outbox_published (published_at, position),
      key outbox_stream (stream_seq)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Handled events, recorded in the transaction of their effect.
  await sql`
    create table if not exists inbox (
      consumer varchar(100) character set ascii collate ascii_bin not null,
      event_id varchar(150) character set ascii collate ascii_bin not null,
      done_at datetime(3) not null default current_timestamp(3),
      primary key (consumer, event_id),
      key inbox_done (done_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // Creations requested under an Idempotency-Key, and their answers. Digests and sealed text only.
  await sql`
    create table if not exists idempotency_keys (
      id char(64) character set ascii collate ascii_bin not null primary key,
      request char(64) character set ascii collate ascii_bin not null,
      claim char(24) character set ascii collate ascii_bin not null,
      claimed_at datetime(3) not null default current_timestamp(3),
      answer mediumtext character set ascii collate ascii_bin null,
      key idempotency_keys_claimed (claimed_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  // When old rows of a table were last deleted, and how many.
  await sql`
    create table if not exists cleanings (
      table_name varchar(64) character set ascii collate ascii_bin not null primary key,
      cleaned_at datetime(3) not null,
      deleted_rows bigint unsigned not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)

  await createLeases(db)
  // Relays lock this row and never write it, so it must exist.
  await sql`insert ignore into leases (name) values ('relay')`.execute(db)
  await createSchemaOwner(db)
}

/** Who may do a piece of work, and until when. `migrate` creates it before its first migration, which needs a lease. */
export async function createLeases(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists leases (
      name varchar(64) character set ascii collate ascii_bin not null primary key,
      holder char(24) character set ascii collate ascii_bin not null default '',
      expires_at datetime(3) not null default current_timestamp(3)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}

/** The service that a schema belongs to: at most one row. `migrate` fills it before a service's first migration. */
export async function createSchemaOwner(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists schema_owner (
      id tinyint unsigned not null default 1 primary key,
      service varchar(64) character set ascii collate ascii_bin not null
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
