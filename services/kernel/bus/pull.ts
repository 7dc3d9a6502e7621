import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Consumer,
  type ConsumerConfig,
  type ConsumerMessages,
  type JetStreamManager,
  type JsMsg,
  type MsgHdrs,
  headers as newHeaders,
} from 'nats'
import { failureLog } from '../process/failure-log.ts'
import type { BrokerLink, BusLog, Receive } from './link.ts'
import type { Delivery, StoredMessage } from './message.ts'
import { ensureConsumer } from './streams.ts'

interface PullOptions {
  stream: string
  /** The consumer to create; computed at every connect. */
  config(jsm: JetStreamManager): Promise<Partial<ConsumerConfig>>
}

/** Reads the messages of one connection until `isOver`. */
type ReadSession = (
  consumer: Consumer,
  isOver: () => boolean,
  onOpen: (messages: ConsumerMessages) => void,
) => Promise<void>

const expires = 15_000
const idle_heartbeat = 3_000

/**
 * Starts pull consumers on a stream and keeps them running across disconnects and lost streams. The returned function
 * stops the pull; messages still on their way are redelivered after the consumer's `ack_wait`.
 */
export function pullsFrom(link: BrokerLink, log: BusLog | undefined, receive: Receive) {
  const start = ({ stream, config }: PullOptions, read: ReadSession): (() => void) => {
    let isStopped = false
    let messages: ConsumerMessages | undefined
    const close = () => void messages?.close()
    const session = async () => {
      const connected = link.current()
      if (!connected) return
      const { js, jsm } = connected
      const consumer = js.consumers.getPullConsumerFor(await ensureConsumer(jsm, stream, await config(jsm)))
      const isOver = () => isStopped || link.current() !== connected
      const stopListening = link.onDown(close)
      try {
        if (!isOver())
          await read(consumer, isOver, openMessages => {
            messages = openMessages
            if (isOver()) close()
          })
      } finally {
        stopListening()
      }
    }
    const warn = failureLog((fields, message) => log?.warn(fields, message))
    const loop = async () => {
      while (!isStopped && !link.closed()) {
        await link.whenUp()
        if (isStopped || link.closed()) return
        await session().catch((error: unknown) =>
          warn(String(error), { stream, reason: String(error) }, 'consumer interrupted; retrying'),
        )
        if (!isStopped) await sleep(250)
      }
    }
    void loop()
    return () => {
      isStopped = true
      close()
    }
  }

  return {
    /** Receives every message as fast as it arrives; at most `batch` are on their way. */
    readAll: (options: PullOptions & { batch: number }, take: (message: JsMsg) => void) =>
      start(options, async (consumer, isOver, onOpen) => {
        const callback = (message: JsMsg) => void (isOver() || receive(message.subject, () => take(message)))
        const timing = { expires, idle_heartbeat, abort_on_missing_resource: true }
        const messages = await consumer.consume({ max_messages: options.batch, ...timing, callback })
        onOpen(messages)
        await messages.closed()
      }),

    /** Receives as many messages at a time as `freeSlots` returns, once it resolves. */
    readBatches: (options: PullOptions, freeSlots: () => Promise<number>, take: (message: JsMsg) => void) =>
      start(options, async (consumer, isOver, onOpen) => {
        while (!isOver()) {
          const max_messages = await freeSlots()
          if (isOver()) return
          const messages = await consumer.fetch({ max_messages, expires, idle_heartbeat })
          onOpen(messages)
          for await (const message of messages) receive(message.subject, () => take(message))
        }
      }),
  }
}

export type Pull = ReturnType<typeof pullsFrom>

/** The stored part of a message. */
export function toStoredMessage(message: JsMsg): StoredMessage {
  const { subject, data, seq, headers, info } = message
  return {
    subject,
    data,
    headers: decodeHeaders(headers),
    sequence: seq,
    storedAt: new Date(info.timestampNanos / 1e6),
  }
}

/**
 * A delivery to settle. The client reconnects before the bus can be used, so acknowledgements wait for the bus: they
 * must not overtake the messages queued meanwhile, which would be lost if the process died.
 */
export function toDelivery(message: JsMsg, link: Pick<BrokerLink, 'current' | 'whenUp'>): Delivery {
  const attempt = (act: () => void) => {
    try {
      act()
    } catch {
      // The connection is closed: the broker will redeliver.
    }
  }
  const settle = (act: () => void) => {
    if (link.current()) attempt(act)
    else void link.whenUp().then(() => attempt(act))
  }
  return {
    ...toStoredMessage(message),
    deliveries: message.info.deliveryCount,
    ack: () => settle(() => message.ack()),
    nak: delayMs => settle(() => message.nak(delayMs)),
    working: () => attempt(() => message.working()),
    term: () => settle(() => message.term()),
  }
}

/** Headers as a plain object; the first of several values. */
export function decodeHeaders(headers: MsgHdrs | undefined): Record<string, string> {
  return Object.fromEntries([...(headers ?? [])].map(([name, values]) => [name, values[0] ?? '']))
}

/** Line breaks would end a header, so they become spaces. */
export function encodeHeaders(values: Readonly<Record<string, string>>): MsgHdrs {
  const encoded = newHeaders()
  for (const [name, value] of Object.entries(values)) encoded.set(name, value.replace(/\s+/g, ' ').trim())
  return encoded
}
