import { type Kysely, sql } from 'kysely'

/** The audience also says who administers a workspace by permission, whatever their role. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace view member_audience as
    select wm.workspace_id, wm.member_id, wm.workspace_role, wm.is_admin
    from workspace_members wm
    join members m on m.id = wm.member_id and m.deleted_at is null and m.is_active = 1
    join workspaces w on w.id = wm.workspace_id and w.deleted_at is null and w.is_active = 1 and w.closed_at is null
    where wm.status = 'active' and wm.left_at is null and wm.member_active = 1
  `.execute(db)
}
