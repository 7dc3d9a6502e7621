import { setTimeout as sleep } from 'node:timers/promises'
import { AckPolicy, DeliverPolicy, type NatsConnection, nanos } from 'nats'
import { type BusLog, openLink } from './link.ts'
import { type BusMessage, type Delivery, header, type StoredMessage } from './message.ts'
import { decodeHeaders, deliveryOf, encodeHeaders, pullsFrom } from './pull.ts'
import { roomIn } from './stream-room.ts'
import { apiCode, ensureStream, passingConfig, streamConfig } from './streams.ts'
import { tailsFrom } from './tail.ts'

export type { BusLog } from './link.ts'

// This file and its neighbours bus-link, bus-pull, bus-room, bus-streams and bus-tail are the only ones that know which client is used.

export interface BusOptions {
  /** nats://user:password@host:port, several with commas between. */
  url: string
  /** Name of the stream; its dead letters are in `<stream>_dead`. */
  stream: string
  /** On how many servers of a cluster each stream is kept, one unless told. */
  replicas?: number
  /** What the broker's monitoring calls this process. */
  name: string
  /** Below which subject answers come, `_INBOX` unless told. */
  inbox?: string | undefined
  /** What the stream holds, `platform.>` and `member.onboarding` unless told. */
  subjects?: string[]
  log?: BusLog
  /** How long to wait for the broker before starting without it, in ms (3,000). */
  patience?: number
}

/** A durable consumer's settings; times in ms. */
export interface DurableOptions {
  durable: string
  subject: string
  prefetch: number
  ackWait: number
}

export interface Bus {
  readonly stream: string
  readonly deadStream: string
  /** Keeps what is said on `live.frames` for some minutes. */
  readonly passingStream: string
  /** Keeps for an hour what is said on `internal.sample`: how the platform was. */
  readonly watchStream: string
  /** For readiness: whether events can be published and consumed now, and if not, why. */
  status(): { connected: boolean; problem: string }
  /** Called at every connect from now on, when the streams exist. @returns a function that stops that */
  onConnected(listener: () => void): () => void
  /** Stores a message and waits for the broker's word. Throws {@link BusUnavailableError}; repeat it with the same id then. */
  publish(subject: string, data: string | Uint8Array, options: PublishOptions): Promise<{ sequence: number }>
  /**
   * Tells whoever listens now; nothing is stored, unless a stream takes the subject: it drops a second message of the
   * same id. @returns false when the broker is away
   */
  publishCore(subject: string, data: string | Uint8Array, id?: string): boolean
  /** Hears what {@link Bus.publishCore} tells, over reconnects. @returns a function that stops it */
  subscribeCore(subject: string, handler: (data: Uint8Array, subject: string) => void): () => void
  /**
   * Every message stored on a subject (wildcards allowed) from now on, in order, one at a time, also those stored
   * while the connection was away. Redriven messages are left out. @returns a function that stops it
   */
  tail(subject: string, handler: (message: BusMessage) => void | Promise<void>, options?: TailOptions): () => void
  /** Deliveries of a durable consumer, made when missing, as many at a time as `room` answers. @returns a function that stops it */
  deliver(options: DurableOptions, room: () => Promise<number>, take: (delivery: Delivery) => void): () => void
  /** First and last sequence of a stream. */
  bounds(stream: string): Promise<{ first: number; last: number }>
  /** A stored message, undefined when there is none. */
  read(stream: string, sequence: number): Promise<StoredMessage | undefined>
  /** Deletes a stored message. @returns whether it was there */
  remove(stream: string, sequence: number): Promise<boolean>
  /** What durable consumers have before them, and how many dead letters lie there. */
  backlog(): Promise<Backlog>
  /** How many bytes the stream takes without dropping what a consumer has still to read. */
  room(): Promise<number>
  close(): Promise<void>
}

/** Counts of messages, each consumer's over all processes. */
export interface Backlog {
  dead: number
  consumers: { durable: string; waiting: number; delivered: number; redelivered: number }[]
}

export interface PublishOptions {
  /** Message id: the broker drops a second message of the same id within two minutes. */
  id: string
  headers?: Readonly<Record<string, string>>
}

/** A stream as it is at a connect: when it was made (ISO 8601), and its last message. */
export interface StreamEnd {
  created: string
  last: number
  lastAt: Date
}

/** Where a tail begins: at the end of the main stream, unless it is told otherwise. */
export interface TailOptions {
  /** Another stream, such as {@link Bus.passingStream}. */
  stream?: string
  /** Begins so many ms back in time. */
  backMs?: number
  /** After the connection was lost, goes so many ms further back than where it was: some messages come again. */
  againMs?: number
  /** Told at every connect, before its messages. */
  opened?(stream: StreamEnd): void
}

/** The broker is away, or did not confirm in time; the message may or may not be stored. */
export class BusUnavailableError extends Error {
  override name = 'BusUnavailableError'
}

// Deleting beyond the end of a stream is, to the broker, a failed deletion with an EOF of its store.
const NO_MESSAGE = new Set([10_037, 10_043])
const DELETE_FAILED = 10_057
const GIB = 2 ** 30

/**
 * Connects to the broker, now and for ever. When it is absent the bus starts without it: publishing fails, consumers
 * wait. Streams are made at every connect, since a broker can come back without them.
 */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { stream, log, subjects = ['platform.>', 'member.onboarding'], replicas = 1 } = options
  const deadStream = `${stream}_dead`
  const passingStream = `${stream}_live`
  const watchStream = `${stream}_watch`
  const streams = [
    streamConfig(stream, subjects, 7, GIB),
    streamConfig(deadStream, ['dead.>'], 30, GIB / 8),
    passingConfig(passingStream, ['live.frames'], GIB / 8, 6),
    passingConfig(watchStream, ['internal.sample'], GIB / 64, 60),
  ]
  const core = new Set<(nc: NatsConnection) => void>()
  const link = openLink({
    ...options,
    log,
    opened: nc => core.forEach(subscribe => subscribe(nc)),
    prepare: async jsm => {
      for (const config of streams) await ensureStream(jsm, { ...config, num_replicas: replicas }, log)
    },
  })
  const linked = () => {
    const current = link.current()
    if (!current) throw new BusUnavailableError(`the message broker is not available: ${link.problem()}`)
    return current
  }

  const pull = pullsFrom(link, log)
  await Promise.race([link.whenUp(), sleep(options.patience ?? 3_000, undefined, { ref: false })])
  return {
    stream,
    deadStream,
    passingStream,
    watchStream,
    status: () => ({ connected: link.current() !== undefined, problem: link.problem() }),
    onConnected: link.onUp,
    close: link.close,

    async publish(subject, data, { id, headers = {} }) {
      const { js } = linked()
      try {
        const { seq } = await js.publish(subject, data, { msgID: id, headers: encodeHeaders(headers) })
        return { sequence: seq }
      } catch (error) {
        throw new BusUnavailableError(`publishing on ${subject} failed: ${String(error)}`, { cause: error })
      }
    },

    publishCore(subject, data, id) {
      const nc = link.current()?.nc
      if (!nc || nc.isClosed() || nc.isDraining()) return false
      nc.publish(subject, data, id === undefined ? {} : { headers: encodeHeaders({ [header.id]: id }) })
      return true
    },

    subscribeCore(subject, handler) {
      let unsubscribe = () => {}
      const subscribe = (nc: NatsConnection) => {
        const callback = (error: Error | null, message: { data: Uint8Array; subject: string }) => {
          if (error) log?.error({ subject, reason: error.message }, 'a subscription was refused')
          else handler(message.data, message.subject)
        }
        const subscription = nc.subscribe(subject, { callback })
        unsubscribe = () => subscription.unsubscribe()
      }
      core.add(subscribe)
      const nc = link.connection()
      if (nc) subscribe(nc)
      return () => {
        core.delete(subscribe)
        unsubscribe()
      }
    },

    tail: (subject, handler, from = {}) => tailsFrom(pull, log)(from.stream ?? stream, subject, handler, from),

    deliver({ durable, subject, prefetch, ackWait }, room, take) {
      const limits = { ack_wait: nanos(ackWait), max_ack_pending: prefetch, max_deliver: -1 }
      const kind = { ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All }
      const config = async () => ({ durable_name: durable, filter_subject: subject, ...kind, ...limits })
      return pull.some({ stream, config }, room, message => take(deliveryOf(message, link)))
    },

    async bounds(name) {
      const { state } = await linked().jsm.streams.info(name)
      return { first: state.first_seq, last: state.last_seq }
    },

    async backlog() {
      const { jsm } = linked()
      const { state } = await jsm.streams.info(deadStream)
      const consumers: Backlog['consumers'] = []
      // Tails have no name; they belong to a process and end with it.
      for await (const { config, ...counts } of jsm.consumers.list(stream))
        if (config.durable_name)
          consumers.push({
            durable: config.durable_name,
            waiting: counts.num_pending,
            delivered: counts.num_ack_pending,
            redelivered: counts.num_redelivered,
          })
      return { dead: state.messages, consumers }
    },

    room: async () => roomIn(linked().jsm, stream),

    async read(name, sequence) {
      try {
        const { subject, data, header: headers, time } = await linked().jsm.streams.getMessage(name, { seq: sequence })
        return { subject, data, headers: decodeHeaders(headers), sequence, at: time }
      } catch (error) {
        if (NO_MESSAGE.has(apiCode(error))) return undefined
        throw error
      }
    },

    async remove(name, sequence) {
      try {
        return await linked().jsm.streams.deleteMessage(name, sequence)
      } catch (error) {
        const isBeyond = apiCode(error) === DELETE_FAILED && /\beof$/i.test(String((error as Error).message))
        if (isBeyond || NO_MESSAGE.has(apiCode(error))) return false
        throw error
      }
    },
  }
}
