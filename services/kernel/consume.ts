import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Bus, BusLog } from './bus.ts'
import { type BusMessage, type Delivery, header, messageId, PermanentFailure, readMessage } from './bus-message.ts'
import { alone, together } from './consume.lane.ts'
import { suspects, type Trouble } from './consume.suspects.ts'
import { type AnyTransaction, isDuplicateKey, isUnavailable, pingDatabase } from './database.ts'
import { deadLetter } from './dead-letters.ts'
import { reportError } from './error-reports.ts'
import { failpoint } from './failpoint.ts'
import { traced } from './tracing.ts'

export { type BusMessage, PermanentFailure } from './bus-message.ts'

export interface ConsumerOptions<T> {
  bus: Bus
  /** Where this consumer remembers messages in trouble; has the kernel's tables. */
  db: Kysely<T>
  /** Name of the durable consumer; processes of the same name share the work. */
  durable: string
  /** What it takes, wildcards allowed: platform.notification.> */
  subject: string
  /** Messages that may be delivered and not yet settled, over all processes (64). */
  prefetch?: number
  /** Handlers that run at once in this process (8). */
  parallel?: number
  /**
   * One message at a time over all processes: the next begins when the one before it is done or a dead letter, its
   * retries included. Slower, for consumers whose later messages undo earlier ones; `prefetch` and `parallel` are 1 then.
   */
  inOrder?: boolean
  /** Its failure is retried, a {@link PermanentFailure} is not. Use {@link once}: a message may come again. */
  handle(message: BusMessage): Promise<void>
  log: BusLog
  /** Waits before each retry, in ms; the length is the number of retries. */
  retryDelays?: readonly number[]
  /** How long the broker waits for a sign of life before it delivers again, in ms. */
  ackWait?: number
}

export interface Consumer {
  /** Gives back what has not begun and waits for what has. */
  stop(): Promise<void>
}

interface Held {
  key: string
  delivery: Delivery
}

const RETRY_DELAYS = [1_000, 2_000, 4_000]
/** Deliveries neither failed nor given back on record, after which the message may be what kills the process. */
const UNEXPLAINED = 4
/** With the database back and still no way through, the message itself is at fault. */
const UNAVAILABLE_TRIES = 10
/** A database that does not answer must not keep a message from others, in ms. */
const MEMORY_MS = 5_000
const NO_TROUBLE: Trouble = { failures: 0, givenBack: 0, reason: null, diedAlone: false }

/**
 * Remembers in the handler's own transaction that `consumer` has done an event.
 * @returns false when it had done so before: then there is nothing left to do
 */
export async function once(trx: AnyTransaction, consumer: string, eventId: string): Promise<boolean> {
  try {
    await sql`insert into inbox (consumer, event_id) values (${consumer}, ${eventId})`.execute(trx)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/**
 * Hands the messages of a durable consumer to `handle`, `parallel` at a time, and settles them: done is acknowledged,
 * failed comes again after 1, 2 and 4 s and then becomes a dead letter, which is stored before the message is given up.
 * While the database is away the consumer waits without counting failures. A message that seems to kill its process
 * runs alone before it is blamed.
 */
export function startConsumer<T>(options: ConsumerOptions<T>): Consumer {
  const { bus, db, durable, handle, log, inOrder = false } = options
  const { prefetch = 64, parallel = 8 } = inOrder ? { prefetch: 1, parallel: 1 } : options
  const { retryDelays = RETRY_DELAYS, ackWait = 30_000 } = options
  const memory = suspects(db, durable)
  const held = new Map<string, Held>()
  const waiting: Held[] = []
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let ended: Promise<void> | undefined

  const take = (delivery: Delivery) => {
    const key = `${delivery.sequence}:${delivery.at.getTime()}`
    const known = held.get(key)
    if (known) {
      // The broker lost patience or the connection; the first run goes on and will settle this delivery.
      known.delivery = delivery
      return
    }
    const message = { key, delivery }
    held.set(key, message)
    waiting.push(message)
    pump()
  }

  const pump = () => {
    while (!stopping.signal.aborted && running.size < parallel) {
      const next = waiting.shift()
      if (!next) return
      const run = settle(next)
        .catch((error: unknown) => {
          log.error({ durable, err: error }, 'a message could not be settled and will come again')
          reportError(error, { where: `consumer ${durable}` })
          next.delivery.nak(retryDelays.at(-1))
        })
        .finally(() => {
          held.delete(next.key)
          running.delete(run)
          pump()
        })
      running.add(run)
    }
  }

  const settle = async (message: Held): Promise<void> => {
    const { deliveries, headers } = message.delivery
    const only = headers[header.redrivenFor]
    if (only !== undefined && only !== durable) return message.delivery.ack()
    const trouble = deliveries > 1 ? await patiently(() => memory.recall(message.key)) : NO_TROUBLE
    if (!trouble) return giveBack([message])
    if (trouble.diedAlone) return bury(message, 'the process died while this message ran alone', deliveries)
    if (trouble.failures > retryDelays.length) return bury(message, trouble.reason ?? 'failed', trouble.failures)
    const suspect = deliveries - 1 - trouble.failures - trouble.givenBack >= UNEXPLAINED
    if (suspect) log.warn({ durable, deliveries, subject: message.delivery.subject }, 'a suspect message runs alone')

    const result = await attempt(message, trouble.failures + 1, suspect)
    if (result === 'stopped') return giveBack([message])
    if (result === 'done') {
      failpoint('consumer-handled')
      message.delivery.ack()
      if (deliveries > 1) await memory.forget(message.key).catch(() => {})
      return
    }
    const failures = trouble.failures + 1
    const delay = retryDelays[failures - 1]
    const reason = `${result.error.name}: ${result.error.message}`.slice(0, 400)
    if (result.error instanceof PermanentFailure) return bury(message, result.error.message, failures)
    const written = await patiently(async () => (await memory.failed(message.key, reason), true))
    if (written && delay === undefined) return bury(message, reason, failures)
    log.warn({ durable, subject: message.delivery.subject, attempt: failures, err: result.error }, 'a handler failed')
    message.delivery.nak(delay)
  }

  /** One run of the handler, repeated as long as only the database's absence was in its way. */
  const attempt = async (message: Held, number: number, suspect: boolean) => {
    for (let unavailable = 1; ; unavailable++) {
      try {
        const parsed = readMessage(bus.stream, message.delivery, number)
        const attributes = { 'messaging.system': 'nats', 'messaging.consumer.group.name': durable }
        await traced(`process ${parsed.subject}`, { kind: 'consumer', attributes, from: parsed.headers }, () =>
          suspect ? alone(() => markedAlone(message.key, parsed)) : together(() => handle(parsed)),
        )
        return 'done' as const
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        if (!isUnavailable(error) || unavailable === UNAVAILABLE_TRIES) return { error }
        log.warn({ durable, reason: error.message }, 'a handler waits for its database')
        await rest(Math.min(500 * 2 ** unavailable, 5_000))
        const back = await patiently(async () => (await pingDatabase(db), true))
        if (!back) return 'stopped' as const
      }
    }
  }

  const markedAlone = async (key: string, parsed: BusMessage) => {
    await memory.runsAlone(key)
    try {
      await handle(parsed)
    } finally {
      // A mark that stayed would condemn the message, although the process lives.
      await patiently(async () => (await memory.survived(key), true))
    }
  }

  const bury = async (message: Held, reason: string, attempts: number): Promise<void> => {
    log.error({ durable, subject: message.delivery.subject, reason, attempts }, 'a message becomes a dead letter')
    reportError(new Error(`a message became a dead letter: ${reason}`), { where: `consumer ${durable}` })
    const { delivery } = message
    const id = messageId(bus.stream, delivery)
    const stored = await patiently(async () => {
      await deadLetter(bus, { stored: delivery, id, durable, reason, attempts })
      return true
    })
    if (!stored) return giveBack([message])
    failpoint('dead-letter-published')
    message.delivery.term()
    await memory.forget(message.key).catch(() => {})
  }

  /**
   * For other processes, at once; not before the broker knows that this one stops, for it would have them again. That
   * no handler got through is remembered as no fault of theirs, lest so many deliveries look like deaths.
   */
  const giveBack = async (messages: Held[]): Promise<void> => {
    await ended
    const remembered = memory.givenBack(messages.map(({ key }) => key)).catch((error: unknown) => {
      log.warn({ durable, reason: String(error) }, 'it is not remembered what a consumer gives back')
    })
    await Promise.race([remembered, sleep(MEMORY_MS, undefined, { ref: false })])
    for (const { key, delivery } of messages) {
      held.delete(key)
      delivery.nak()
    }
  }

  /** Repeats a step until the database or broker it needs is there; undefined when the consumer stops first. */
  const patiently = async <R>(step: () => Promise<R>): Promise<R | undefined> => {
    for (let wait = 250; !stopping.signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        return await step()
      } catch (error) {
        log.warn({ durable, reason: String(error) }, 'a consumer waits for the database or the broker')
        await rest(wait)
      }
    }
    return undefined
  }

  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})
  const alive = setInterval(() => {
    for (const { delivery } of held.values()) delivery.working()
  }, ackWait / 3)
  const halt = bus.deliver({ durable, subject: options.subject, prefetch, ackWait }, take)

  return {
    async stop() {
      stopping.abort()
      ended = halt()
      await ended
      await giveBack(waiting.splice(0))
      await Promise.all(running)
      clearInterval(alive)
    },
  }
}
