import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Bus, BusLog } from './bus.ts'
import { type BusMessage, type Delivery, header, messageId, PermanentFailure, readMessage } from './message.ts'
import { alone, together } from './consume-lane.ts'
import type { Suspects, Trouble } from './consume-suspects.ts'
import { isUnavailable, pingDatabase } from '../database/database.ts'
import { deadLetter } from './dead-letters.ts'
import { reportError } from '../process/error-reports.ts'
import { failpoint } from '../base/failpoint.ts'
import { traced } from '../process/tracing.ts'

/** A message that this process holds. `delivery` is the newest one, since the broker may redeliver meanwhile. */
export interface Held {
  key: string
  delivery: Delivery
}

interface SettlerOptions<T> {
  bus: Bus
  db: Kysely<T>
  durable: string
  handle(message: BusMessage): Promise<void>
  log: BusLog
  retryDelays: readonly number[]
  memory: Suspects
  /** Aborted when the consumer stops. */
  signal: AbortSignal
}

/**
 * Deliveries with neither a failure nor a return on record, after which the message is suspected of killing the
 * process.
 */
const UNEXPLAINED = 4
/** If the database answers again and the handler still finds it unavailable, the message itself is at fault. */
const UNAVAILABLE_TRIES = 10
const NO_TROUBLE: Trouble = { failures: 0, givenBack: 0, reason: null, diedAlone: false }

/**
 * Runs the handler for one message and settles it: success acknowledges, a failure retries after its delay, and the
 * last failure dead-letters.
 * @returns a settler, which answers false when the consumer stops first and the message must be returned
 */
export function settler<T>(options: SettlerOptions<T>): (message: Held) => Promise<boolean> {
  const { bus, db, durable, handle, log, retryDelays, memory, signal } = options

  const settle = async (message: Held): Promise<boolean> => {
    const { deliveries, headers } = message.delivery
    const only = headers[header.redrivenFor]
    if (only !== undefined && only !== durable) {
      message.delivery.ack()
      return true
    }
    const trouble = deliveries > 1 ? await patiently(() => memory.recall(message.key)) : NO_TROUBLE
    if (!trouble) return false
    if (trouble.diedAlone) return bury(message, 'the process died while this message ran alone', deliveries)
    if (trouble.failures > retryDelays.length) return bury(message, trouble.reason ?? 'failed', trouble.failures)
    const isSuspect = deliveries - 1 - trouble.failures - trouble.givenBack >= UNEXPLAINED
    if (isSuspect) log.warn({ durable, deliveries, subject: message.delivery.subject }, 'a suspect message runs alone')

    const attempt = trouble.failures + 1
    const result = await run(message, attempt, isSuspect)
    if (result === 'stopped') return false
    if (result !== 'done') return failed(message, attempt, result.error)
    failpoint('consumer-handled')
    message.delivery.ack()
    if (deliveries > 1) await memory.forget(message.key).catch(() => {})
    return true
  }

  /** Runs the handler once; repeats it while only the database was unavailable. */
  const run = async (message: Held, attempt: number, isSuspect: boolean) => {
    for (let unavailable = 1; ; unavailable++) {
      try {
        const parsed = readMessage(bus.stream, message.delivery, attempt)
        const attributes = { 'messaging.system': 'nats', 'messaging.consumer.group.name': durable }
        await traced(`process ${parsed.subject}`, { kind: 'consumer', attributes, from: parsed.headers }, () =>
          isSuspect ? alone(() => markedAlone(message.key, parsed)) : together(() => handle(parsed)),
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
      // A mark left behind would condemn the message, although the process lives.
      await patiently(async () => (await memory.survived(key), true))
    }
  }

  const failed = async (message: Held, attempt: number, error: Error): Promise<boolean> => {
    if (error instanceof PermanentFailure) return bury(message, error.message, attempt)
    const delay = retryDelays[attempt - 1]
    const reason = `${error.name}: ${error.message}`.slice(0, 400)
    const written = await patiently(async () => (await memory.failed(message.key, reason), true))
    if (written && delay === undefined) return bury(message, reason, attempt)
    log.warn({ durable, subject: message.delivery.subject, attempt, err: error }, 'a handler failed')
    message.delivery.nak(delay)
    return true
  }

  const bury = async (message: Held, reason: string, attempts: number): Promise<boolean> => {
    log.error({ durable, subject: message.delivery.subject, reason, attempts }, 'a message becomes a dead letter')
    reportError(new Error(`a message became a dead letter: ${reason}`), { where: `consumer ${durable}` })
    const { delivery } = message
    const id = messageId(bus.stream, delivery)
    const stored = await patiently(async () => {
      await deadLetter(bus, { stored: delivery, id, durable, reason, attempts })
      return true
    })
    if (!stored) return false
    failpoint('dead-letter-published')
    message.delivery.term()
    await memory.forget(message.key).catch(() => {})
    return true
  }

  /** Repeats a step until its database or broker is available. Undefined when the consumer stops first. */
  const patiently = async <R>(step: () => Promise<R>): Promise<R | undefined> => {
    for (let wait = 250; !signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        return await step()
      } catch (error) {
        log.warn({ durable, reason: String(error) }, 'a consumer waits for the database or the broker')
        await rest(wait)
      }
    }
    return undefined
  }
  const rest = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})

  return settle
}
