import type { Insertable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt, inTransaction } from '../../kernel/database/database.ts'
import { queueState } from '../../kernel/database/gauges.ts'
import { countRows } from '../../kernel/database/rows.ts'
import { type CursorPaging, followsCursor, type ListOrder, rowsToRead } from '../../kernel/rpc/cursor.ts'
import type { NotificationDb, NotificationTables, NotificationTrx, WebhookDeliveryRow } from '../tables.ts'
import { failureOf } from './failures.ts'

const allTenants = <T extends NotificationDb>(db: T): NotificationDb =>
  exempt(db, 'the worker serves the endpoints of every tenant')

export type NewWebhookDelivery = Insertable<NotificationTables['webhook_deliveries']>

/** Enqueues deliveries; skips an event that its endpoint has already. */
export const insertWebhookDeliveries = (trx: NotificationDb, rows: NewWebhookDelivery[]) =>
  trx.insertInto('webhook_deliveries').ignore().values(rows).execute()

type DeliveryFilter = { webhookId: string; status?: string | undefined }

const matchingDeliveries = (db: NotificationDb, tenant: Tenant, { webhookId, status }: DeliveryFilter) =>
  db
    .selectFrom('webhook_deliveries')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('webhook_id', '=', webhookId)
    .$if(status !== undefined, query => query.where('status', '=', status as WebhookDeliveryRow['status']))

export const newestFirst: ListOrder = { name: 'deliveries', columns: { created_at: 'time', id: 'id' } }

/** A page of the deliveries to an endpoint, newest first. */
export const webhookDeliveriesOf = (db: NotificationDb, tenant: Tenant, filter: DeliveryFilter, page: CursorPaging) =>
  matchingDeliveries(db, tenant, filter)
    .selectAll()
    .where(followsCursor(page, 'webhook_deliveries'))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(rowsToRead(page))
    .offset(page.offset)
    .execute()

export const countWebhookDeliveries = (db: NotificationDb, tenant: Tenant, filter: DeliveryFilter) =>
  countRows(matchingDeliveries(db, tenant, filter))

export const findWebhookDelivery = (db: NotificationDb, tenant: Tenant, webhookId: string, id: string) =>
  matchingDeliveries(db, tenant, { webhookId }).selectAll().where('id', '=', id).executeTakeFirst()

/** Makes a delivery due with all its attempts. */
export const requeueWebhookDelivery = (trx: NotificationTrx, tenant: Tenant, id: string, now: Date) =>
  trx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', attempts: 0, due_at: now })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .execute()

/** Endpoints with due deliveries, the longest waiting first. */
export async function webhooksDue(db: NotificationDb, now: Date, except: readonly string[], limit: number) {
  const rows = await allTenants(db)
    .selectFrom('webhook_deliveries')
    .select('webhook_id')
    .where('due_at', '<=', now)
    .$if(except.length > 0, query => query.where('webhook_id', 'not in', except))
    .groupBy('webhook_id')
    .orderBy(eb => eb.fn.min('due_at'))
    .limit(limit)
    .execute()
  return rows.map(row => row.webhook_id)
}

export async function isAnyWaiting(db: NotificationDb): Promise<boolean> {
  const query = allTenants(db).selectFrom('webhook_deliveries').select('id').where('due_at', 'is not', null).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

/** What waits for endpoints that aren't failing. */
export const loadWebhookQueue = (db: NotificationDb) =>
  allTenants(db)
    .selectFrom('webhook_deliveries')
    .select(queueState('due_at'))
    .where('due_at', 'is not', null)
    .where('webhook_id', 'not in', eb => eb.selectFrom('webhooks').select('id').where('failing_since', 'is not', null))
    .executeTakeFirstOrThrow()

/** Claims due deliveries to an endpoint until the lease ends; concurrent processes claim others. */
export const claimWebhookDeliveries = (
  db: NotificationDb,
  webhookId: string,
  { limit, now, leaseMs }: { limit: number; now: Date; leaseMs: number },
): Promise<WebhookDeliveryRow[]> =>
  inTransaction(db, async trx => {
    const rows = await allTenants(trx)
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('webhook_id', '=', webhookId)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
    if (rows.length === 0) return []
    const ids = rows.map(row => row.id)
    await allTenants(trx)
      .updateTable('webhook_deliveries')
      .set(eb => ({
        attempts: eb('attempts', '+', 1),
        due_at: new Date(now.getTime() + leaseMs),
        attempted_at: now,
        ...{ response_status: null, response_body: null, error: null, error_code: null },
      }))
      .where('id', 'in', ids)
      .execute()
    return rows.map(row => ({ ...row, attempts: row.attempts + 1 }))
  })

export type AttemptResult = Pick<
  WebhookDeliveryRow,
  'status' | 'due_at' | 'response_status' | 'response_body' | 'error' | 'error_code'
>

/** Records the result of an attempt. @returns false when another process has claimed or ended the delivery since */
export async function recordAttempt(
  trx: NotificationTrx,
  { id, attempts }: Pick<WebhookDeliveryRow, 'id' | 'attempts'>,
  result: AttemptResult,
): Promise<boolean> {
  const { numUpdatedRows } = await allTenants(trx)
    .updateTable('webhook_deliveries')
    .set(result)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Ends all that waits for an endpoint. */
export const failWaiting = (db: NotificationDb, webhookId: string, code: 'endpoint_disabled' | 'hotel_closed') =>
  allTenants(db)
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', due_at: null, ...failureOf(code) })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .execute()
