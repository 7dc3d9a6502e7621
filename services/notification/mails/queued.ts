import { z } from 'zod'
import type { Language } from '../../kernel/base/language.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import type { Recipient } from '../audience.ts'
import type { UnreadNews } from '../digests/news.ts'
import type { DeliveryRow, NotificationRow } from '../tables.ts'

const language = z.enum(['fr', 'en'] satisfies Language[])

const queuedMailSchema = z.object({
  to: z.string(),
  toName: z.string(),
  slug: z.string(),
  /** Absent for the language of the member with this address. */
  language: language.optional(),
  /** Used when no member has the address. */
  fallbackLanguage: language.optional(),
  /** The hotel whose name and colours the mail has; absent for the hotel of the member with this address. */
  ecosystemId: z.string().optional(),
  variables: z.record(z.string(), z.string()),
})

/** An unrendered mail to an address without a member. */
type QueuedMail = z.infer<typeof queuedMailSchema>

/** A mail is sealed in pieces, because the cipher limits the length of a text. */
const pieceLength = 8_000

/** Encrypted in the queue, because links and codes give access to accounts. */
export function sealMail(cipher: Cipher, mail: QueuedMail): string {
  const text = Buffer.from(JSON.stringify(mail)).toString('base64')
  const pieces = Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, i) =>
    text.slice(i * pieceLength, (i + 1) * pieceLength),
  )
  return pieces.map(part => cipher.seal(part)).join(',')
}

/** Decrypts a mail; undefined when the keys or its shape have changed. */
export function openMail(cipher: Cipher, sealedMail: string): QueuedMail | undefined {
  const pieces = sealedMail.split(',').map(part => cipher.open(part))
  if (pieces.includes(undefined)) return undefined
  return queuedMailSchema.safeParse(JSON.parse(Buffer.from(pieces.join(''), 'base64').toString())).data
}

export type ToAddress = { mail: QueuedMail }
export type ToMember = { notification: NotificationRow; person: Recipient }

/** Unread pages, and notifications, newest first, in one mail. */
export type Digest = { digest: { person: Recipient; news: UnreadNews; notifications: readonly NotificationRow[] } }

/** A mail: of a notification to a member, of several, or to an address. */
export type MailJob = { delivery: DeliveryRow; content: ToMember | ToAddress | Digest }
