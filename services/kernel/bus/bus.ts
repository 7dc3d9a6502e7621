import { setTimeout as sleep } from 'node:timers/promises'
import { AckPolicy, DeliverPolicy, type NatsConnection, nanos } from 'nats'
import { newId } from '../base/ids.ts'
import { framesSubject } from '../base/live.ts'
import { watchBroker } from './broker-health.ts'
import { type BusLog, openLink, receiver } from './link.ts'
import { type BusMessage, type Delivery, type StoredMessage } from './message.ts'
import { decodeHeaders, encodeHeaders, pullsFrom, toDelivery } from './pull.ts'
import { apiCode, ensureStream, freeBytesIn, noMessage, noSequence, shortLivedConfig, streamConfig } from './streams.ts'
import { type TailOptions, tailsFrom } from './tail.ts'

export type { BusLog } from './link.ts'

// Only the files of this folder know which broker client is used.

export interface BusOptions {
  /** nats://user:password@host:port, or several separated by commas. */
  url: string
  /** Name of the stream; its dead letters are in `<stream>_dead`. */
  stream: string
  /** Replicas of each stream in a cluster (1). */
  replicas?: number
  /** The process's name in the broker's monitoring. */
  name: string
  /** Prefix of reply subjects (`_INBOX`). */
  inbox?: string | undefined
  log?: BusLog
  /** How long to wait for the broker before starting without it, in ms (3,000). */
  maxStartWaitMs?: number
}

/** A durable consumer's settings. */
interface DurableOptions {
  durable: string
  subject: string
  /** Maximum of delivered and unsettled messages, over all processes. */
  prefetch: number
  /** How long the broker waits for a sign of life before it redelivers, in ms. */
  ackWait: number
}

export interface Bus {
  readonly stream: string
  readonly deadStream: string
  /** The stream of `live.frames`, which keeps messages for some minutes. */
  readonly framesStream: string
  /** Whether there is a connection, and why events can't be published and consumed now. */
  status(): { connected: boolean; problem: string }
  /**
   * Called at every later connect, once the streams exist.
   * @returns a function that removes the listener
   */
  onConnected(listener: () => void): () => void
  /**
   * Stores a message and waits for the broker's confirmation. Throws {@link BusUnavailableError}; retry with the same
   * id.
   */
  publish(subject: string, data: string | Uint8Array, options: PublishOptions): Promise<{ sequence: number }>
  /**
   * Notifies current subscribers.
   * @returns false while disconnected
   */
  publishCore(subject: string, data: string | Uint8Array): boolean
  /**
   * Publishes a message and repeats it until the broker has stored it, for 45 s at most: a stream without a leader, as
   * while one of several brokers dies, drops what it can't store. A second message of the same id is dropped.
   * @returns false while disconnected
   */
  store(subject: string, data: string | Uint8Array, id?: string): boolean
  /**
   * Receives {@link Bus.publishCore} messages, across reconnects. A message that makes `handler` throw is dropped.
   * @returns a function that unsubscribes
   */
  subscribeCore(subject: string, handler: (data: Uint8Array, subject: string) => void): () => void
  /**
   * Receives every later message on a subject (wildcards allowed) in order, including those stored while disconnected.
   * Redriven messages are left out.
   * @returns a function that stops it
   */
  tail(subject: string, handler: (message: BusMessage) => void, options?: TailOptions): () => void
  /**
   * Receives the deliveries of a durable consumer, as many at a time as `freeSlots` returns. Creates a missing consumer.
   * @returns a function that stops it
   */
  deliver(options: DurableOptions, freeSlots: () => Promise<number>, take: (delivery: Delivery) => void): () => void
  /** First and last sequence of a stream. */
  bounds(stream: string): Promise<{ first: number; last: number }>
  /** A stored message; undefined if it does not exist. */
  read(stream: string, sequence: number): Promise<StoredMessage | undefined>
  /**
   * Deletes a stored message.
   * @returns whether it existed
   */
  remove(stream: string, sequence: number): Promise<boolean>
  /** Pending messages of the durable consumers, and the number of dead letters. */
  backlog(): Promise<Backlog>
  /** How many bytes the stream accepts before it drops messages that a consumer hasn't read. */
  freeBytes(): Promise<number>
  close(): Promise<void>
}

/** Message counts, per consumer over all processes. */
export interface Backlog {
  dead: number
  consumers: {
    durable: string
    waiting: number
    delivered: number
    redelivered: number
    /** Every message up to this sequence is settled. */
    settledTo: number
  }[]
}

interface PublishOptions {
  /** Message id: the broker drops a second message of the same id within two minutes. */
  id: string
  headers?: Readonly<Record<string, string>>
}

/** The broker is away or didn't confirm in time; the message may or may not be stored. */
export class BusUnavailableError extends Error {
  override name = 'BusUnavailableError'
}

const notFoundCodes = new Set([noMessage, noSequence])
// The broker's code for the failed deletion of a missing message; its text tells this from other failures.
const deleteFailed = 10_057
const notFoundText = /\b(?:eof|no message found)$/i
const maxStoringMs = 45_000
const gib = 2 ** 30
const eventDays = 7
const deadLetterDays = 30
/** A minute more than the edge's history, which is read and published again at a restart, for `maxStoringMs` at most. */
const frameMinutes = 6

/**
 * Connects to the broker and reconnects for ever. Without a broker, the bus starts anyway: publishing fails and
 * consumers wait. Streams are created at every connect, since a broker can come back without them.
 */
export async function connectBus(options: BusOptions): Promise<Bus> {
  const { stream, log, replicas = 1 } = options
  const deadStream = `${stream}_dead`
  const framesStream = `${stream}_live`
  const streams = [
    streamConfig(stream, ['platform.>', 'member.onboarding'], eventDays, gib),
    streamConfig(deadStream, ['dead.>'], deadLetterDays, gib / 8),
    shortLivedConfig(framesStream, [framesSubject], gib / 8, frameMinutes),
  ]
  const coreSubscribers = new Set<(nc: NatsConnection) => void>()
  const receive = receiver(log)
  const link = openLink({
    ...options,
    log,
    receive,
    onOpen: nc => coreSubscribers.forEach(subscribe => subscribe(nc)),
    prepare: async jsm => {
      for (const config of streams) await ensureStream(jsm, { ...config, num_replicas: replicas }, log)
    },
  })
  const requireConnection = () => {
    const current = link.current()
    if (!current) throw new BusUnavailableError(`the message broker is not available: ${link.problem()}`)
    return current
  }

  const publish: Bus['publish'] = async (subject, data, { id, headers = {} }) => {
    const { js } = requireConnection()
    try {
      const { seq } = await js.publish(subject, data, { msgID: id, headers: encodeHeaders(headers) })
      return { sequence: seq }
    } catch (error) {
      throw new BusUnavailableError(`publishing on ${subject} failed: ${String(error)}`, { cause: error })
    }
  }
  const publishUntilStored = async (subject: string, data: string | Uint8Array, id: string): Promise<void> => {
    for (const until = Date.now() + maxStoringMs; ; await sleep(250, undefined, { ref: false })) {
      try {
        await publish(subject, data, { id })
        return
      } catch (error) {
        if (link.closed()) return
        if (Date.now() > until) return log?.warn({ subject, reason: String(error) }, 'message not stored')
      }
    }
  }

  const pull = pullsFrom(link, log, receive)
  const brokerHealth = watchBroker(link)
  await Promise.race([link.whenUp(), sleep(options.maxStartWaitMs ?? 3_000, undefined, { ref: false })])
  return {
    stream,
    deadStream,
    framesStream,
    status() {
      const connected = link.current() !== undefined
      const isStorageOff = connected && brokerHealth.isStorageOff()
      return { connected, problem: isStorageOff ? 'JetStream is off: restart the broker' : link.problem() }
    },
    onConnected: link.onUp,
    async close() {
      await link.close()
      await brokerHealth.stop()
    },

    publish,

    publishCore(subject, data) {
      const nc = link.current()?.nc
      if (!nc || nc.isClosed() || nc.isDraining()) return false
      nc.publish(subject, data)
      return true
    },

    store(subject, data, id = newId()) {
      const nc = link.current()?.nc
      if (!nc || nc.isClosed() || nc.isDraining()) return false
      void publishUntilStored(subject, data, id)
      return true
    },

    subscribeCore(subject, handler) {
      let unsubscribe = () => {}
      const subscribe = (nc: NatsConnection) => {
        const callback = (error: Error | null, message: { data: Uint8Array; subject: string }) => {
          if (error) log?.error({ subject, reason: error.message }, 'subscription refused')
          else receive(subject, () => handler(message.data, message.subject))
        }
        const subscription = nc.subscribe(subject, { callback })
        unsubscribe = () => subscription.unsubscribe()
      }
      coreSubscribers.add(subscribe)
      const nc = link.connection()
      if (nc) subscribe(nc)
      return () => {
        coreSubscribers.delete(subscribe)
        unsubscribe()
      }
    },

    tail: (subject, handler, from = {}) => tailsFrom(pull, receive)(from.stream ?? stream, subject, handler, from),

    deliver({ durable, subject, prefetch, ackWait }, freeSlots, take) {
      const limits = { ack_wait: nanos(ackWait), max_ack_pending: prefetch, max_deliver: -1 }
      const kind = { ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All }
      const config = async () => ({ durable_name: durable, filter_subject: subject, ...kind, ...limits })
      return pull.readBatches({ stream, config }, freeSlots, message => take(toDelivery(message, link)))
    },

    async bounds(name) {
      const { state } = await requireConnection().jsm.streams.info(name)
      return { first: state.first_seq, last: state.last_seq }
    },

    async backlog() {
      const { jsm } = requireConnection()
      const { state } = await jsm.streams.info(deadStream)
      const consumers: Backlog['consumers'] = []
      // Tails have no durable name; they belong to a process and end with it.
      for await (const { config, ...counts } of jsm.consumers.list(stream))
        if (config.durable_name)
          consumers.push({
            durable: config.durable_name,
            waiting: counts.num_pending,
            delivered: counts.num_ack_pending,
            redelivered: counts.num_redelivered,
            settledTo: counts.ack_floor.stream_seq,
          })
      return { dead: state.messages, consumers }
    },

    freeBytes: async () => freeBytesIn(requireConnection().jsm, stream),

    async read(name, sequence) {
      try {
        const {
          subject,
          data,
          header: headers,
          time,
        } = await requireConnection().jsm.streams.getMessage(name, { seq: sequence })
        return { subject, data, headers: decodeHeaders(headers), sequence, storedAt: time }
      } catch (error) {
        if (notFoundCodes.has(apiCode(error))) return undefined
        throw error
      }
    },

    async remove(name, sequence) {
      try {
        return await requireConnection().jsm.streams.deleteMessage(name, sequence)
      } catch (error) {
        const isAbsent = apiCode(error) === deleteFailed && notFoundText.test((error as Error).message)
        if (isAbsent || notFoundCodes.has(apiCode(error))) return false
        throw error
      }
    },
  }
}
