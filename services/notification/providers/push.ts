import type { Person } from '../audience.ts'
import type { DeliveryRow, Language, NotificationRow, SubscriptionRow } from '../tables.ts'

/** FCM takes 4 KB in all, whatever the letters. */
const maxTitle = 200
const maxBody = 800

/** What a device shows and its app reads; values are texts, for one provider takes nothing else. */
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
