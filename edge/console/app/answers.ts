/** The answer of GET /console/api/status. */
export type ConsoleStatus = {
  legacy: { deprecatedSince: string; sunset: string }
  bus: { connected: boolean; dead: number | null; consumers: ConsumerState[] }
  services: { name: string; up: boolean }[]
}
export type ConsumerState = { durable: string; waiting: number; delivered: number; redelivered: number }

/** An event as the console shows it: its envelope, and only the record's id from its payload. */
export type ConsoleEvent = {
  /** Its sequence in the stream. */
  sequence: number
  storedAt: string
  id: string | null
  key: string
  type: string | null
  workspaceId: string | null
  ecosystemId: string | null
  channels: string[]
  actorType: string | null
  actorId: string | null
  /** Number of receivers. */
  receivers: number
  occurrenceId: string | null
  /** The request that caused the event. */
  requestId: string | null
  /** The record that the event concerns. */
  recordId: string | null
  bytes: number
  /** On a redriven event: the only consumer that takes it, and the number of the dead letter. */
  redrivenFor: string | null
  redrivenFrom: string | null
}

export type EventPage = {
  /** Newest first. */
  data: ConsoleEvent[]
  /** Sequences of the first and last stored event. */
  first: number
  last: number
  /** The searched sequences. Older ones may match, too, when `from` is above `first`. */
  from: number
  to: number
}
