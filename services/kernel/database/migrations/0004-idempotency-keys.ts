import { type Kysely, sql } from 'kysely'

/** Creations requested under an Idempotency-Key, and their answers. Digests and sealed text only. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
