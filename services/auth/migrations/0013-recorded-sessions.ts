import { type Kysely, sql } from 'kysely'

/** Sessions recorded by another service name only their member; takes the user from other sessions of the member. */
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
