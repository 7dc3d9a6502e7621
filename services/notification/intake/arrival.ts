import type { NewNotification, NewReceiver } from './store.sql.ts'

/** An event ready to be stored: rendered, its receivers filtered. */
export type EventArrival = {
  /** Message id: an event is stored once, however often it is delivered. */
  eventId: string
  notification: NewNotification
  receivers: readonly NewReceiver[]
  /** An encrypted mail to an address without a member. */
  sealedMail: string | null
  /** The page or comment that it is about, if any. */
  subject?: EventSubject | undefined
}

/** The entities that an event names, each of which can have ended meanwhile. */
export type EventSubject = {
  /** The event's own entity and those it needs, such as a comment with its page. */
  entityIds: string[]
  /** The entity that the event reports as deleted or hidden. */
  endedId: string | null
  /** When it happened, by the emitter's clock. */
  occurredAt: Date
  /** When a redriven dead letter was first published to the stream. */
  redrivenFrom: Date | undefined
}
