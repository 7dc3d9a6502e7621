import { type Kysely, sql } from 'kysely'

/** Calls of legacy routes per day and client: shows which clients have yet to move to the modern version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists route_usage (
      day date not null,
      route varchar(100) character set ascii collate ascii_bin not null,
      client varchar(60) character set ascii collate ascii_bin not null,
      calls int unsigned not null,
      last_called_at datetime(3) not null,
      primary key (day, route, client)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
