import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Pages that appear without notifying anybody.
  await sql`alter table pages add column if not exists is_silent tinyint not null default 0`.execute(db)
}
