import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { currentRequestId, requestIdFor } from '../base/ids.ts'
import { isServerRefusing, isUnavailable, pingDatabase } from '../database/database.ts'
import { reportError } from '../process/error-reports.ts'
import { failpoint } from '../process/failpoint.ts'
import { failureLog } from '../process/failure-log.ts'
import { withSpan } from '../process/tracing.ts'
import type { Bus, BusLog } from './bus.ts'
import { deadLetter } from './dead-letters.ts'
import { type BusMessage, type Delivery, header, messageId, PermanentFailure, readMessage } from './message.ts'

/** A message that this process holds. `delivery` is the newest one, since the broker may redeliver meanwhile. */
export interface UnsettledMessage {
  key: string
  delivery: Delivery
}

interface SettlerOptions<T> {
  bus: Bus
  db: Kysely<T>
  durable: string
  handle(message: BusMessage): Promise<void>
  skipsUnreadable: boolean
  log: BusLog
  retryDelays: readonly number[]
  /** Aborted when the consumer stops. */
  signal: AbortSignal
}

/** If the database answers again and the handler still finds it unavailable, the message itself is at fault. */
const unavailableTries = 10

/**
 * Runs the handler for one message and settles it. A failure is redelivered after its delay, and dead-lettered after
 * the last one; so is a message with more deliveries than that and no outcome. The broker counts deliveries, so that a
 * process that dies needs no record.
 */
export function createSettler<T>(options: SettlerOptions<T>): (message: UnsettledMessage) => Promise<void> {
  const { bus, db, durable, handle, skipsUnreadable, log, retryDelays, signal } = options
  const warn = failureLog((fields, message) => log.warn(fields, message))

  const settle = async (message: UnsettledMessage): Promise<void> => {
    const { deliveries, headers } = message.delivery
    const targetConsumer = headers[header.redrivenFor]
    if (targetConsumer !== undefined && targetConsumer !== durable) return message.delivery.ack()
    if (deliveries > retryDelays.length + 1)
      return moveToDeadLetters(message, `delivered ${deliveries - 1} times without a result`, deliveries - 1)
    const result = await run(message, deliveries)
    if (result === 'stopped') return message.delivery.nak()
    if (result !== 'done') return retryOrDeadLetter(message, deliveries, result.error)
    failpoint('consumer-handled')
    message.delivery.ack()
  }

  /** Runs the handler once; repeats it while only the database was unavailable. */
  const run = async (message: UnsettledMessage, attempt: number) => {
    for (let unavailable = 1; ; unavailable++) {
      try {
        const busMessage = readMessage(bus.stream, message.delivery, attempt)
        const attributes = { 'messaging.system': 'nats', 'messaging.consumer.group.name': durable }
        const { subject, headers } = busMessage
        await withSpan(`process ${subject}`, { kind: 'consumer', attributes, from: headers }, () =>
          currentRequestId.run(requestIdFor(headers[header.requestId]), () => handle(busMessage)),
        )
        return 'done' as const
      } catch (thrown) {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown))
        const isMessageAtFault = unavailable >= unavailableTries && !isServerRefusing(error)
        if (!isUnavailable(error) || isMessageAtFault) return { error }
        warn(error.message, { durable, reason: error.message }, 'handler waiting for its database')
        await pause(Math.min(500 * 2 ** unavailable, 5_000))
        const isAvailable = await untilAvailable(async () => (await pingDatabase(db), true))
        if (!isAvailable) return 'stopped' as const
      }
    }
  }

  const retryOrDeadLetter = async (message: UnsettledMessage, attempt: number, error: Error): Promise<void> => {
    if (error instanceof PermanentFailure && skipsUnreadable) return message.delivery.ack()
    if (error instanceof PermanentFailure) return moveToDeadLetters(message, error.message, attempt)
    const delay = retryDelays[attempt - 1]
    if (delay === undefined) return moveToDeadLetters(message, `${error.name}: ${error.message}`.slice(0, 400), attempt)
    log.warn(
      { durable, subject: message.delivery.subject, attempt, err: error },
      'handler failed; the message is redelivered',
    )
    message.delivery.nak(delay)
  }

  /** Stores the dead letter before it terminates the message. */
  const moveToDeadLetters = async ({ delivery }: UnsettledMessage, reason: string, attempts: number): Promise<void> => {
    log.error({ durable, subject: delivery.subject, reason, attempts }, 'message dead-lettered')
    reportError(new Error(`message dead-lettered: ${reason}`), { source: `consumer ${durable}` })
    const id = messageId(bus.stream, delivery)
    const isStored = await untilAvailable(async () => {
      await deadLetter(bus, { stored: delivery, id, durable, reason, attempts })
      return true
    })
    if (!isStored) return delivery.nak()
    failpoint('dead-letter-published')
    delivery.term()
  }

  /** Repeats a step until its database or broker is available. Undefined when the consumer stops first. */
  const untilAvailable = async <R>(step: () => Promise<R>): Promise<R | undefined> => {
    for (let wait = 250; !signal.aborted; wait = Math.min(wait * 2, 5_000)) {
      try {
        return await step()
      } catch (error) {
        warn(String(error), { durable, reason: String(error) }, 'consumer waiting for the database or the broker')
        await pause(wait)
      }
    }
    return undefined
  }
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})

  return settle
}
