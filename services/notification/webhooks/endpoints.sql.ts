import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { NotificationDb, NotificationTables, NotificationTrx, WebhookRow } from '../tables.ts'

export const maxWebhooks = 10

const allTenants = <T extends NotificationDb>(db: T): NotificationDb =>
  exempt(db, 'deliveries serve the endpoints of every tenant')

/** The workspace of an endpoint. */
export async function locateWebhook(db: NotificationDb, id: string): Promise<string | undefined> {
  const row = await exempt(db, 'locates the tenant of a record')
    .selectFrom('webhooks')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.workspace_id
}

export const insertWebhook = (trx: NotificationTrx, row: Insertable<NotificationTables['webhooks']>) =>
  trx.insertInto('webhooks').values(row).execute()

/** The endpoints of a workspace, oldest first. */
export const webhooksOf = (db: NotificationDb, tenant: Pick<Tenant, 'workspaceId'>) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .orderBy('created_at')
    .orderBy('id')

/** An endpoint of the workspace, locked until the transaction ends. */
export const lockWebhook = (trx: NotificationTrx, tenant: Tenant, id: string) =>
  webhooksOf(trx, tenant).where('id', '=', id).forUpdate().executeTakeFirst()

export const updateWebhook = (
  trx: NotificationTrx,
  tenant: Tenant,
  id: string,
  values: Updateable<NotificationTables['webhooks']>,
) =>
  trx
    .updateTable('webhooks')
    .set({ ...values, updated_at: new Date() })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .execute()

/** Deletes an endpoint with its deliveries. */
export async function deleteWebhook(trx: NotificationTrx, tenant: Tenant, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('workspace_id', '=', tenant.workspaceId).where('id', '=', id).execute()
  await trx.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute()
}

export const findWebhook = (db: NotificationDb, id: string): Promise<WebhookRow | undefined> =>
  allTenants(db).selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

/** The endpoint isn't failing any more. */
export const clearFailing = (db: NotificationDb, id: string) =>
  allTenants(db)
    .updateTable('webhooks')
    .set({ failing_since: null })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute()

/** An endpoint as it was called. */
type CalledWebhook = Pick<WebhookRow, 'id' | 'url'>

/** Notes a failure, unless the endpoint has another address now. */
export const markFailing = (trx: NotificationTrx, { id, url }: CalledWebhook, now: Date) =>
  allTenants(trx)
    .updateTable('webhooks')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('failing_since', 'is', null)
    .execute()

/**
 * Disables an endpoint that is gone, or has failed since before `failingBefore`, unless it has another address now.
 * @returns whether this call did
 */
export async function disableWebhook(
  trx: NotificationTrx,
  { id, url }: CalledWebhook,
  { isGone, now, failingBefore }: { isGone: boolean; now: Date; failingBefore: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await allTenants(trx)
    .updateTable('webhooks')
    .set({
      is_enabled: 0,
      disabled_reason: isGone ? 'gone' : 'failing',
      disabled_at: now,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('is_enabled', '=', 1)
    .$if(!isGone, query => query.where('failing_since', '<=', failingBefore))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** How many endpoints there are, by state; disabled are those that the platform has disabled. */
export async function countWebhooks(db: NotificationDb): Promise<Record<'enabled' | 'failing' | 'disabled', number>> {
  const count = (condition: RawBuilder<unknown>) => sql<number>`coalesce(sum(${condition}), 0)`
  const { enabled, failing, disabled } = await allTenants(db)
    .selectFrom('webhooks')
    .select([
      count(sql`is_enabled = 1 and failing_since is null`).as('enabled'),
      count(sql`is_enabled = 1 and failing_since is not null`).as('failing'),
      count(sql`is_enabled = 0 and disabled_reason is not null`).as('disabled'),
    ])
    .executeTakeFirstOrThrow()
  return { enabled: Number(enabled), failing: Number(failing), disabled: Number(disabled) }
}

/** Whether a workspace has an enabled endpoint. */
export async function hasWebhooks(db: NotificationDb, workspaceId: string): Promise<boolean> {
  const row = await webhooksOf(db, { workspaceId }).where('is_enabled', '=', 1).limit(1).executeTakeFirst()
  return row !== undefined
}

/** The enabled endpoints of a workspace that take a type, which can't be deleted until the transaction ends. */
export async function webhooksTaking(trx: NotificationTrx, workspaceId: string, type: string): Promise<WebhookRow[]> {
  const rows = await webhooksOf(trx, { workspaceId })
    .where('is_enabled', '=', 1)
    .modifyEnd(sql`lock in share mode`)
    .execute()
  return rows.filter(row => typesOf(row).length === 0 || typesOf(row).includes(type))
}

/** The types that an endpoint takes; empty for all. */
export const typesOf = ({ event_types }: Pick<WebhookRow, 'event_types'>) => JSON.parse(event_types) as string[]
