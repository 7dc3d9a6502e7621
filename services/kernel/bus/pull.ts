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
  /** Maximum of messages on their way to this process. */
  batch: number
  /** The consumer to create; computed at every connect. */
  config(jsm: JetStreamManager): Promise<Partial<ConsumerConfig>>
  /**
   * Whether messages still on their way at the stop are received, so that they can be returned; otherwise they are
   * dropped.
   */
  drain?: boolean
}

/** Limit of the wait for the broker to confirm the end of a pull, in ms. */
const DRAIN_MS = 10_000

/**
 * Starts pull consumers on a stream and keeps them running across disconnects and lost streams. The returned function
 * ends the pull at the broker; its promise resolves after the last message.
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
 * Ends the pull and receives the messages that were on their way. The client can only cut a pull off, but its
 * subscription can be drained: the broker's confirmation follows the last message.
 */
async function drained(consumer: Consumer, messages: ConsumerMessages): Promise<void> {
  const pull = messages as PullConsumerMessagesImpl
  pull.refilling = false
  const ended = async () => {
    await pull.sub.drain()
    // The info request makes the broker drop the pull request, which has no subscriber any more. Before 2.10.14 the
    // broker would answer it with the first returned message, which then stays lost until its ack wait ends.
    await consumer.info()
  }
  await Promise.race([ended().catch(() => {}), sleep(DRAIN_MS, undefined, { ref: false })])
  await messages.close()
}

export type Pull = ReturnType<typeof pullsFrom>

/** The stored part of a message. */
export function storedOf(message: JsMsg): StoredMessage {
  const { subject, data, seq, headers, info } = message
  return { subject, data, headers: decodeHeaders(headers), sequence: seq, at: new Date(info.timestampNanos / 1e6) }
}

/**
 * A delivery to settle. The client reconnects before the bus can be used, so acknowledgements wait for the bus: they
 * must not overtake the messages queued meanwhile, which would be lost if the process died.
 */
export function deliveryOf(message: JsMsg, link: Pick<Link, 'current' | 'whenUp'>): Delivery {
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
    ...storedOf(message),
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
