import { type Kysely, sql } from 'kysely'

/** Empties `invitations`, unread since 0.1: the member service stores them. Dropped one version later [D230]. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from invitations`.execute(db)
}
