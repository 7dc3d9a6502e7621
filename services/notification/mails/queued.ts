import { z } from 'zod'
import type { Cipher } from '../../kernel/base/secrets.ts'
import type { Person } from '../audience.ts'
import type { DeliveryRow, Language, NotificationRow } from '../tables.ts'

const shape = z.object({
  to: z.string(),
  toName: z.string(),
  slug: z.string(),
  language: z.enum(['fr', 'en'] satisfies Language[]),
  variables: z.record(z.string(), z.string()),
})

/** An unrendered mail to an address without a member. */
export type QueuedMail = z.infer<typeof shape>

/** The cipher limits the length of a text. */
const piece = 8_000

/** Encrypted in the queue, because links and codes give access to accounts. */
export function sealMail(box: Cipher, mail: QueuedMail): string {
  const text = Buffer.from(JSON.stringify(mail)).toString('base64')
  const pieces = Array.from({ length: Math.ceil(text.length / piece) }, (_, i) =>
    text.slice(i * piece, (i + 1) * piece),
  )
  return pieces.map(part => box.seal(part)).join(',')
}

/** Decrypts a mail; undefined when the keys have changed. */
export function openMail(box: Cipher, sealed: string): QueuedMail | undefined {
  const pieces = sealed.split(',').map(part => box.open(part))
  if (pieces.includes(undefined)) return undefined
  return shape.parse(JSON.parse(Buffer.from(pieces.join(''), 'base64').toString()))
}

/** A mail: of a notification to a member, or to an address. */
export type MailJob = {
  delivery: DeliveryRow
  content: { notification: NotificationRow; person: Person } | { mail: QueuedMail }
}
