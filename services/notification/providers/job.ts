import type { Person } from '../audience.ts'
import type { QueuedMail } from '../mails/queued.ts'
import type { Outcome } from './outcome.ts'
import type { DeliveryRow, NotificationRow, SubscriptionRow } from '../tables.ts'

/** A push to one device. */
export type PushJob = {
  delivery: DeliveryRow
  notification: NotificationRow
  device: SubscriptionRow
  person: Person
}

/** A mail, either of a notification to a member or to an address. */
export type MailJob = {
  delivery: DeliveryRow
  content: { notification: NotificationRow; person: Person } | { mail: QueuedMail }
}

/** Sends and says what became of each, in the same order. Never throws. */
export type Sender<Job> = (jobs: readonly Job[]) => Promise<Outcome[]>
