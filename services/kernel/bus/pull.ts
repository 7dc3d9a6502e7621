import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Consumer,
  type ConsumerConfig,
  type ConsumerMessages,
  headers as newHeaders,
  type JetStreamManager,
  type JsMsg,
  type MsgHdrs,
} from 'nats'
import type { PullConsumerMessagesImpl } from 'nats/lib/jetstream/consumer.js'
import type { BusLog, Link } from './link.ts'
import type { Delivery, StoredMessage } from './message.ts'
import { ensureConsumer } from './streams.ts'

export interface PullOptions {
  stream: string
  /** How many messages may be on their way to this process. */
  batch: number
  /** The consumer to make; asked at every connect. */
  config(jsm: JetStreamManager): Promise<Partial<ConsumerConfig>>
  /** Whether what is on its way at the stop is still taken, to be given back; without it, it is dropped. */
  drain?: boolean
}

/** A broker that does not answer the end of a pull must not keep a process, in ms. */
const DRAIN_MS = 10_000

/**
 * Starts pull consumers on a stream and keeps them running over disconnects and lost streams. What it returns ends the
 * pull at the broker; its promise is kept when nothing more comes.
 */
export function pullsFrom(link: Link, log: BusLog | undefined) {
  return (options: PullOptions, take: (message: JsMsg) => void): (() => Promise<void>) => {
    const { stream, drain = false } = options
    const idle = async () => {}
    let stopped = false
    let halt = idle
    const over = () => stopped || link.closed()
    const session = async () => {
      const connected = link.current()
      if (!connected) return
      const { js, jsm } = connected
      const consumer = js.consumers.getPullConsumerFor(await ensureConsumer(jsm, stream, await options.config(jsm)))
      if (over()) return
      const timing = { expires: 15_000, idle_heartbeat: 3_000, abort_on_missing_resource: true }
      const callback = (message: JsMsg) => {
        if (drain ? !link.closed() : !over()) take(message)
      }
      const opening = consumer.consume({ max_messages: options.batch, ...timing, callback })
      halt = async () => (drain ? drained(consumer, await opening) : void (await opening).close())
      const messages = await opening
      const close = () => void messages.close()
      const off = link.onDown(close)
      if (link.current() !== connected) close()
      await messages.closed()
      off()
      halt = idle
    }
    const loop = async () => {
      while (!over()) {
        await link.whenUp()
        if (over()) return
        await session().catch((error: unknown) => log?.warn({ reason: String(error) }, 'a consumer will try again'))
        if (!over()) await sleep(250)
      }
    }
    void loop()
    return () => {
      stopped = true
      return halt()
    }
  }
}

/**
 * Ends the pull and hears what the broker had sent before it knew. The client's messages can only be cut off, while a
 * subscription, theirs too, can be drained: the broker is told, and its answer comes behind the last message.
 */
async function drained(consumer: Consumer, messages: ConsumerMessages): Promise<void> {
  const pull = messages as PullConsumerMessagesImpl
  pull.refilling = false
  const ended = async () => {
    await pull.sub.drain()
    // Asked how the consumer is, the broker drops the request that nobody hears. Before 2.10.14 it would try to answer
    // it with the first message given back, and lose sight of that until the consumer's patience is over.
    await consumer.info()
  }
  await Promise.race([ended().catch(() => {}), sleep(DRAIN_MS, undefined, { ref: false })])
  await messages.close()
}

export type Pull = ReturnType<typeof pullsFrom>

/** What the stream holds of a message. */
export function storedOf(message: JsMsg): StoredMessage {
  const { subject, data, seq, headers, info } = message
  return { subject, data, headers: decodeHeaders(headers), sequence: seq, at: new Date(info.timestampNanos / 1e6) }
}

/**
 * A message to be settled. The client has its connection back before the bus can be used: what was told meanwhile and
 * waits must not be overtaken by its acknowledgement, or it would be lost with the process.
 */
export function deliveryOf(message: JsMsg, link: Pick<Link, 'current' | 'whenUp'>): Delivery {
  const attempt = (act: () => void) => {
    try {
      act()
    } catch {
      // The connection is closed: the broker will deliver again.
    }
  }
  const settle = (act: () => void) => {
    if (link.current()) attempt(act)
    else void link.whenUp().then(() => attempt(act))
  }
  return {
    ...storedOf(message),
    deliveries: message.info.deliveryCount,
    ack: () => settle(() => message.ack()),
    nak: delayMs => settle(() => message.nak(delayMs)),
    working: () => attempt(() => message.working()),
    term: () => settle(() => message.term()),
  }
}

/** Headers as a plain object; of several values the first. */
export function decodeHeaders(headers: MsgHdrs | undefined): Record<string, string> {
  return Object.fromEntries([...(headers ?? [])].map(([name, values]) => [name, values[0] ?? '']))
}

/** Line breaks would end a header, so they become spaces. */
export function encodeHeaders(values: Readonly<Record<string, string>>): MsgHdrs {
  const encoded = newHeaders()
  for (const [name, value] of Object.entries(values)) encoded.set(name, value.replace(/\s+/g, ' ').trim())
  return encoded
}
