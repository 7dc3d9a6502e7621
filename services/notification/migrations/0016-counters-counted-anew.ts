import { type Kysely, sql } from 'kysely'

/** Recounts the counters per workspace. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(async trx => {
    await sql`delete from member_counters`.execute(trx)
    await sql`
      insert into member_counters (member_id, workspace_id, type, lane, total, unread, dismissed)
      select member_id, workspace_id, type, 0,
        sum(is_dismissed = 0), sum(is_dismissed = 0 and is_read = 0), sum(is_dismissed = 1)
      from receivers group by member_id, workspace_id, type
    `.execute(trx)
  })
}
