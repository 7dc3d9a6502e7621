import { type Kysely, sql } from 'kysely'

/** Results of deliveries by hour, so that a chart over weeks needn't read the log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists delivery_hours (
      hour datetime not null,
      channel enum('push','email','socket') character set ascii not null,
      status enum('success','failed','retry') character set ascii not null,
      deliveries int unsigned not null,
      primary key (hour, channel, status)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
