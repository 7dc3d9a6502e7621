import { type Kysely, sql } from 'kysely'

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

export async function up(db: Kysely<unknown>): Promise<void> {
  await createLeases(db)
  // Relays lock this row and never write it, so it must exist.
  await sql`insert ignore into leases (name) values ('relay')`.execute(db)
}
