import { type Kysely, sql } from 'kysely'

/**
 * Messages in trouble: how often their handler failed or a stopping process returned them, and whether one runs alone,
 * or ran alone when its process died.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists bus_suspects (
      durable varchar(100) character set ascii collate ascii_bin not null,
      message varchar(150) character set ascii collate ascii_bin not null,
      failures int unsigned not null default 0,
      given_back int unsigned not null default 0,
      reason varchar(500) null,
      alone_since datetime(3) null,
      updated_at datetime(3) not null default current_timestamp(3) on update current_timestamp(3),
      primary key (durable, message),
      key bus_suspects_updated (updated_at)
    ) engine=InnoDB default charset=utf8mb4 collate=utf8mb4_unicode_ci
  `.execute(db)
}
