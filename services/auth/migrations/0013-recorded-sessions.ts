import { type Kysely, sql } from 'kysely'

/** Recorded sessions named their member alone; whose account that is, other sessions of the member say. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update sessions as recorded
    join (
      select member_id, max(user_id) as user_id
      from sessions
      where member_id is not null and user_id is not null
      group by member_id
    ) as known on known.member_id = recorded.member_id
    set recorded.user_id = known.user_id
    where recorded.user_id is null
  `.execute(db)
}
