import { exempt } from '../../kernel/database/database.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db, NotificationRow } from '../tables.ts'

/** A notification of a workspace. */
export const notificationOfTenant = (db: Db, tenant: Tenant, id: string): Promise<NotificationRow> =>
  db
    .selectFrom('notifications')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** The workspace of a notification, undefined when there is no such notification. */
export async function workspaceOfNotification(db: Db, id: string): Promise<string | undefined> {
  const row = await exempt(db, 'locates the tenant of a record')
    .selectFrom('notifications')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.workspace_id
}
