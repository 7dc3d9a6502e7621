import { setTimeout as sleep } from 'node:timers/promises'
import { type ConsumerConfig, headers as newHeaders, type JetStreamManager, type JsMsg, type MsgHdrs } from 'nats'
import type { BusLog, Link } from './bus-link.ts'
import type { Delivery, StoredMessage } from './bus-message.ts'
import { ensureConsumer } from './bus-streams.ts'

export interface PullOptions {
  stream: string
  /** How many messages may be on their way to this process. */
  batch: number
  /** The consumer to make; asked at every connect. */
  config(jsm: JetStreamManager): Promise<Partial<ConsumerConfig>>
}

/** Starts pull consumers on a stream and keeps them running over disconnects and lost streams until they are stopped. */
export function pullsFrom(link: Link, log: BusLog | undefined) {
  return (options: PullOptions, take: (message: JsMsg) => void): (() => void) => {
    const { stream } = options
    let stopped = false
    let halt = () => {}
    const over = () => stopped || link.closed()
    const session = async () => {
      const connected = link.current()
      if (!connected) return
      const { js, jsm } = connected
      const consumer = js.consumers.getPullConsumerFor(await ensureConsumer(jsm, stream, await options.config(jsm)))
      const timing = { expires: 15_000, idle_heartbeat: 3_000, abort_on_missing_resource: true }
      const callback = (message: JsMsg) => {
        if (!over()) take(message)
      }
      const messages = await consumer.consume({ max_messages: options.batch, ...timing, callback })
      halt = () => void messages.close()
      const off = link.onDown(halt)
      if (over() || link.current() !== connected) halt()
      await messages.closed()
      off()
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
      halt()
    }
  }
}

export type Pull = ReturnType<typeof pullsFrom>

/** What the stream holds of a message. */
export function storedOf(message: JsMsg): StoredMessage {
  const { subject, data, seq, headers, info } = message
  return { subject, data, headers: decodeHeaders(headers), sequence: seq, at: new Date(info.timestampNanos / 1e6) }
}

/** A message to be settled. */
export function deliveryOf(message: JsMsg): Delivery {
  const settle = (act: () => void) => {
    try {
      act()
    } catch {
      // The connection is closed: the broker will deliver again.
    }
  }
  return {
    ...storedOf(message),
    deliveries: message.info.deliveryCount,
    ack: () => settle(() => message.ack()),
    nak: delayMs => settle(() => message.nak(delayMs)),
    working: () => settle(() => message.working()),
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
