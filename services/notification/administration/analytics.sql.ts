import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { NotificationDb } from '../tables.ts'

/** Sums over the notifications of a workspace, by type. */
export const notificationFigures = (db: NotificationDb, tenant: Tenant, since: Date) =>
  db
    .selectFrom('notifications')
    .select(({ fn }) => [
      'type',
      fn.countAll<number>().as('count'),
      fn.sum('sent_count').as('sent'),
      fn.sum('delivered_count').as('delivered'),
      fn.sum('read_count').as('read'),
      fn.sum('clicked_count').as('clicked'),
      fn.sum('socket_count').as('sockets'),
      // A socket confirms nothing; the number of readers stands in for delivery.
      sql<number>`sum(least(socket_count, read_count))`.as('readers'),
    ])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('created_at', '>=', since)
    .groupBy('type')
    .execute()

/** Attempted pushes and mails by lane; retries count once. */
export const deliveryFigures = (db: NotificationDb, tenant: Tenant, since: Date) =>
  db
    .selectFrom('deliveries')
    .select(({ fn }) => [
      'lane',
      fn.countAll<number>().as('sent'),
      sql<number>`sum(status = 'success')`.as('delivered'),
    ])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('created_at', '>=', since)
    .where('attempts', '>', 0)
    .groupBy('lane')
    .execute()
