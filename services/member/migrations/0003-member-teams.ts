import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The live teams of members, for lists of other services.
  await sql`
    create or replace view member_teams as
    select tm.workspace_id, tm.member_id, t.name
    from team_members tm
    join teams t on t.id = tm.team_id and t.deleted_at is null and t.is_active = 1
  `.execute(db)
}
