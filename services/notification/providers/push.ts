import type { Person } from '../audience.ts'
import type { DeliveryRow, Language, NotificationRow, SubscriptionRow } from '../tables.ts'

/** FCM limits a message to 4 KB in total, whatever the script. */
const maxTitle = 200
const maxBody = 800

/** Text for the device and data for its app; values are strings, as FCM requires. */
export function contentOf({ notification: n }: PushJob, language: Language) {
  const texts = language === 'en' ? { title: n.title_en, body: n.body_en } : { title: n.title, body: n.body }
  return {
    title: texts.title.slice(0, maxTitle),
    body: texts.body.slice(0, maxBody),
    data: {
      notificationId: n.id,
      type: n.type,
      category: n.category,
      workspaceId: n.workspace_id,
      entityId: (n.entity_id ?? '').slice(0, 64),
      entityType: n.entity_type ?? '',
    },
  }
}

/** A push to one device. */
export type PushJob = {
  delivery: DeliveryRow
  notification: NotificationRow
  device: SubscriptionRow
  person: Person
}
