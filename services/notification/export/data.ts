import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import { ExportService, type NotificationDataSchema } from '../../../gen/platform/notification/v1/export_pb.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { limitedLists } from '../../kernel/database/limited-lists.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { channelsOf } from '../channels.ts'
import type { Context } from '../context.ts'
import { readPreferences } from '../settings/preferences.sql.ts'
import { defaultPreferences, preferencesOf } from '../settings/preferences.ts'
import { storedTexts } from '../texts/event-texts.ts'
import { deliveriesTo, devicesOf, type ReceivedScope, receivedBy } from './data.sql.ts'

/** The exports of both services and the member's record must fit into one answer of 8 MiB. */
const mostBytes = 1024 * 1024

type Data = MessageInitShape<typeof NotificationDataSchema>

/** What this service stores about one member, for the export of the member service. */
export const exportService = (notification: Context): Rpc =>
  implement(ExportService, {
    async exportNotificationData({ memberId, workspaceIds, everything }) {
      if (!everything && workspaceIds.length === 0) return { data: {} }
      return {
        data: await notificationData(notification, { memberId, workspaceIds: everything ? undefined : workspaceIds }),
      }
    },
  })

async function notificationData({ db, audience, clock }: Context, scope: ReceivedScope): Promise<Data> {
  const { memberId, workspaceIds } = scope
  const person = (await audience.people([memberId])).get(memberId)
  const lists = limitedLists(mostBytes)
  // One snapshot: rows written meanwhile would shift the parts of a list.
  const snapshot = db.transaction().setIsolationLevel('repeatable read')
  const { devices, notifications, deliveries, preferences } = await snapshot.execute(async trx => ({
    devices: await lists.read('devices', devicesOf(trx, scope)),
    notifications: await lists.read('notifications', receivedBy(trx, scope)),
    deliveries: await lists.read('deliveries', deliveriesTo(trx, scope)),
    preferences: (await readPreferences(trx, [memberId])).get(memberId) ?? defaultPreferences,
  }))
  return {
    ...(workspaceIds ? {} : { preferences: preferencesOf(memberId, preferences, clock.now(), person) }),
    notifications: notifications.map(row => ({
      ...messageFields(row),
      ...storedTexts(row, person?.language),
      data: row.data === null ? undefined : (JSON.parse(row.data) as JsonObject),
      channels: channelsOf(row.channels),
    })),
    devices: devices.map(messageFields),
    deliveries: deliveries.map(row => ({ ...messageFields(row), channel: row.lane === 'email' ? 'email' : 'push' })),
    truncated: lists.truncated,
  }
}
