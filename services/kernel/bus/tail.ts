import { AckPolicy, DeliverPolicy, type JetStreamManager, nanos, nuid } from 'nats'
import type { Receive } from './link.ts'
import { type BusMessage, header, readMessageLazily } from './message.ts'
import { type Pull, toStoredMessage } from './pull.ts'

/** A stream at the time of a connect: when it was created (ISO 8601), and its last message. */
export type StreamEnd = {
  created: string
  last: number
  lastAt: Date
}

/** Where a tail begins; by default at the end of the main stream. */
export type TailOptions = {
  /** Another stream, such as {@link Bus.framesStream}. */
  stream?: string
  /** Begins this far back in time, in ms. */
  backMs?: number
  /** After a reconnect, begins this many ms before the last position, so that some messages are repeated. */
  againMs?: number
  /** Called at every connect, before its messages. */
  onOpen?(stream: StreamEnd): void
}

/** Longer than a broker's restart, so that a tail resumes where it was. */
const idleMs = 60_000

/** Reads streams in order without consuming their messages; see `Bus.tail`. */
export function tailsFrom(pull: Pull, receive: Receive) {
  return (
    stream: string,
    subject: string,
    handler: (message: BusMessage) => void,
    { backMs, againMs, onOpen }: TailOptions,
  ): (() => void) => {
    let last: { sequence: number; at: number } | undefined

    const chooseStart = (end: number) => {
      // A stream that ends before the last message read was recreated.
      const lastRead = last && last.sequence <= end ? last : undefined
      const since = lastRead ? againMs && lastRead.at - againMs : backMs && Date.now() - backMs
      if (since === undefined) {
        // Recorded: without a message before the next connect, the tail must start there again.
        last = lastRead ?? { sequence: end, at: Date.now() }
        return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: last.sequence + 1 }
      }
      return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(since).toISOString() }
    }
    const config = async (jsm: JetStreamManager) => {
      const { created, state } = await jsm.streams.info(stream)
      onOpen?.({ created, last: state.last_seq, lastAt: new Date(state.last_ts) })
      const kind = { ack_policy: AckPolicy.None, mem_storage: true, inactive_threshold: nanos(idleMs) }
      // A named consumer's filter is checked against the subjects that the account may tail.
      return { ...chooseStart(state.last_seq), ...kind, name: `tail_${nuid.next()}`, filter_subject: subject }
    }
    return pull.readAll({ stream, batch: 500, config }, message => {
      const storedMessage = toStoredMessage(message)
      last = { sequence: storedMessage.sequence, at: storedMessage.storedAt.getTime() }
      if (header.redrivenFor in storedMessage.headers) return
      receive(storedMessage.subject, () =>
        handler(readMessageLazily(stream, storedMessage, message.info.deliveryCount)),
      )
    })
  }
}
