import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update receivers r join notifications n on n.id = r.notification_id
    set r.workspace_id = n.workspace_id
    where r.workspace_id = '' and n.workspace_id <> ''
  `.execute(db)
}
