import type { JsonObject } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { DeliveryService } from '../../../gen/platform/notification/v1/deliveries_pb.ts'
import { tenantOfRecord } from '../../kernel/access/access.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import type { AttemptRow, NotificationDb } from '../tables.ts'
import { hourOf, hoursSince } from './hours.sql.ts'

/** Delivery states of a notification, for callers who may send notifications. */
export const deliveryService = ({ db }: Context): Rpc =>
  implement(DeliveryService, {
    async getDeliveryStatistics({ hours = 24 }) {
      const from = hourOf(new Date(), hours - 1)
      const rows = await hoursSince(db, from)
      return {
        from: timestampFromDate(from),
        data: rows.map(({ hour, channel, status, deliveries }) => ({
          hour: timestampFromDate(hour),
          channel,
          status,
          count: Math.min(deliveries, 0x7fff_ffff),
        })),
      }
    },

    async listDeliveries(request, context) {
      const { notificationId, channel, status } = request
      const workspaceId = await workspaceOfNotification(db, notificationId)
      await tenantOfRecord(context, workspaceId, 'Notification')
      const page = paging(request)
      const { rows, total } = await attemptsOf(db, notificationId, { channel, status }, page)
      return { data: rows.map(attemptOf), meta: pageMeta(total, page) }
    },
  })

const attemptOf = (row: AttemptRow) => ({
  ...messageFields(row),
  notificationId: row.notification_id ?? '',
  memberId: row.member_id ?? '',
  providerResponse: row.provider_response === null ? undefined : (JSON.parse(row.provider_response) as JsonObject),
})

type Filter = { channel?: string | undefined; status?: string | undefined }

/** Attempts to deliver a notification, oldest first. The caller must have opened its tenant. */
export async function attemptsOf(
  db: NotificationDb,
  notificationId: string,
  { channel, status }: Filter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: AttemptRow[]; total: number }> {
  const matchingAttempts = db
    .selectFrom('delivery_attempts')
    .where('notification_id', '=', notificationId)
    .$if(channel !== undefined, query => query.where('channel', '=', channel as AttemptRow['channel']))
    .$if(status !== undefined, query => query.where('status', '=', status as AttemptRow['status']))
  const rows = await matchingAttempts.selectAll().orderBy('sent_at').orderBy('id').limit(limit).offset(offset).execute()
  const { count } = await matchingAttempts
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(count) }
}

/** The workspace of a notification; undefined when there is no such notification. */
async function workspaceOfNotification(db: NotificationDb, id: string): Promise<string | undefined> {
  const row = await exempt(db, 'locates the tenant of a record')
    .selectFrom('notifications')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.workspace_id
}
