import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import { ExportService, type NotificationDataSchema } from '../../../gen/platform/notification/v1/export_pb.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
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
    devices: await lists.read('devices', part => devicesOf(trx, scope, part)),
    notifications: await lists.read('notifications', part => receivedBy(trx, scope, part)),
    deliveries: await lists.read('deliveries', part => deliveriesTo(trx, scope, part)),
    preferences: (await readPreferences(trx, [memberId])).get(memberId) ?? defaultPreferences,
  }))
  return {
    ...(workspaceIds ? {} : { preferences: preferencesOf(memberId, preferences, clock.now(), person) }),
    notifications: notifications.map(row => ({
      id: row.id,
      workspaceId: row.workspace_id,
      type: row.type,
      category: row.category,
      ...storedTexts(row, person?.language),
      ...(row.data === null ? {} : { data: JSON.parse(row.data) as JsonObject }),
      actorId: optional(row.actor_id),
      channels: channelsOf(row.channels),
      createdAt: timestamp(row.created_at),
      readAt: timestamp(row.read_at),
      clickedAt: timestamp(row.clicked_at),
      dismissedAt: timestamp(row.dismissed_at),
    })),
    devices: devices.map(row => ({
      workspaceId: row.workspace_id,
      deviceType: row.device_type,
      platform: row.platform,
      appVersion: optional(row.app_version),
      deviceModel: optional(row.device_model),
      osVersion: optional(row.os_version),
      isActive: row.is_active === 1,
      lastUsedAt: timestamp(row.last_used_at),
      createdAt: timestamp(row.created_at),
    })),
    deliveries: deliveries.map(row => ({
      id: row.id,
      notificationId: optional(row.notification_id),
      workspaceId: row.workspace_id,
      channel: row.lane === 'email' ? 'email' : 'push',
      status: row.status,
      attempts: row.attempts,
      createdAt: timestamp(row.created_at),
    })),
    truncated: lists.truncated,
  }
}
