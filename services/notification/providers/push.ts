import type { Language } from '../../kernel/base/language.ts'
import type { Recipient } from '../audience.ts'
import type { DeliveryRow, DeviceRow, NotificationRow } from '../tables.ts'
import { cutText } from '../texts/rendering.ts'

/* FCM limits a message to 4 KB in total, whatever the script; OneSignal to 3,500 bytes, and its data to 2,048. */
const maxTitle = 200
const maxBody = 800
const maxData = 2_048
const maxBytes = 3_500

/** Keys that FCM refuses. */
const reservedKeys = /^(from|message_type|collapse_key|notification|google.*|gcm.*)$/i

const bytes = (value: object): number => Buffer.byteLength(JSON.stringify(value))

/** Text for the device and data for its app. */
export function contentOf({ notification: n }: PushJob, language: Language) {
  const texts = { fr: shorten(n.title, n.body), en: shorten(n.title_en, n.body_en) }
  const room = Math.min(maxData, maxBytes - Math.max(bytes(texts.fr), bytes(texts.en)))
  return { ...texts[language], data: dataOf(n, room) }
}

const shorten = (title: string, body: string) => ({ title: cutText(title, maxTitle), body: cutText(body, maxBody) })

/** The notification's own data where there is room for it, below the keys that every push has. */
function dataOf(n: NotificationRow, room: number): Record<string, string> {
  const always = {
    notificationId: n.id,
    type: n.type,
    category: n.category,
    workspaceId: n.workspace_id,
    entityId: (n.entity_id ?? '').slice(0, 64),
    entityType: n.entity_type ?? '',
  }
  const allData = { ...asTexts(n.data), ...always }
  return bytes(allData) <= room ? allData : always
}

/** Values are texts, as FCM requires. */
function asTexts(data: string | null): Record<string, string> {
  const values = Object.entries((data === null ? {} : JSON.parse(data)) as Record<string, unknown>)
  const dataEntries = values.filter(([key, value]) => value !== null && !reservedKeys.test(key))
  return Object.fromEntries(
    dataEntries.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** A push to one device. */
export type PushJob = {
  delivery: DeliveryRow
  notification: NotificationRow
  device: DeviceRow
  person: Recipient
}
