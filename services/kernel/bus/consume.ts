import { type Kysely, sql } from 'kysely'
import { type AnyTransaction, isDuplicateKey } from '../database/database.ts'
import { reportError } from '../process/error-reports.ts'
import type { Bus, BusLog } from './bus.ts'
import { createSettler, type UnsettledMessage } from './consume-settle.ts'
import type { BusMessage, Delivery } from './message.ts'

export { type BusMessage, PermanentFailure, readBody, readPayload } from './message.ts'

export interface ConsumerOptions<T> {
  bus: Bus
  /** The database that handlers write to: while it is away, failures are not counted. */
  db: Kysely<T>
  /** Name of the durable consumer; processes of the same name share the work. */
  durable: string
  /** The consumed subject, wildcards allowed: platform.notification.> */
  subject: string
  /** Maximum of delivered and unsettled messages, over all processes (64). */
  prefetch?: number
  /** Concurrent handlers in this process (8). */
  parallel?: number
  /**
   * One message at a time over all processes, retries included: the next begins when the previous one is done or
   * dead-lettered. For consumers whose later messages undo earlier ones; slower, since `prefetch` and `parallel` are
   * then 1.
   */
  inOrder?: boolean
  /** A failure is retried, a {@link PermanentFailure} isn't. Use {@link claimEvent}: a message may be redelivered. */
  handle(message: BusMessage): Promise<void>
  /** Acknowledges what can't be read, because another consumer of the subject dead-letters it. */
  skipsUnreadable?: boolean
  log: BusLog
  /** Waits before each retry, in ms; the length is the number of retries. */
  retryDelays?: readonly number[]
  /** How long the broker waits for a sign of life before it redelivers, in ms. */
  ackWait?: number
}

export interface Consumer {
  /** Returns messages that have not begun and waits for those that have. */
  stop(): Promise<void>
}

const retryDelaysMs = [1_000, 2_000, 4_000]
const minute = 60_000
/** Retries for more than an hour, for consumers whose work nothing else completes. */
export const retryDelaysOverAnHour = [1_000, 4_000, 15_000, minute, ...Array.from({ length: 15 }, () => 5 * minute)]

/**
 * Records in the handler's transaction that `consumer` has handled an event.
 * @returns false for an event handled before, which must then be skipped
 */
export async function claimEvent(trx: AnyTransaction, consumer: string, eventId: string): Promise<boolean> {
  try {
    await sql`insert into inbox (consumer, event_id) values (${consumer}, ${eventId})`.execute(trx)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/**
 * Passes the messages of a durable consumer to `handle`, `parallel` at a time, and settles them: success acknowledges;
 * a failure is redelivered after 1, 2 and 4 s and then dead-lettered, as is a message whose process died at each
 * delivery. While the database is away the consumer waits without counting failures.
 */
export function startConsumer<T>(options: ConsumerOptions<T>): Consumer {
  const { bus, db, durable, handle, log, inOrder = false, skipsUnreadable = false } = options
  const { prefetch = 64, parallel = 8 } = inOrder ? { prefetch: 1, parallel: 1 } : options
  const { retryDelays = retryDelaysMs, ackWait = 30_000 } = options
  const unsettled = new Map<string, UnsettledMessage>()
  const waiting: UnsettledMessage[] = []
  const activeRuns = new Set<Promise<void>>()
  const stopping = new AbortController()
  const settle = createSettler({ bus, db, durable, handle, skipsUnreadable, log, retryDelays, signal: stopping.signal })
  /** While messages are redelivered, they run one at a time: one that kills the process then affects no others. */
  let handlesOneByOne = true
  let slotFreed = Promise.withResolvers<void>()

  const freeSlots = async (): Promise<number> => {
    while (unsettled.size >= (handlesOneByOne ? 1 : prefetch)) await slotFreed.promise
    return handlesOneByOne ? 1 : prefetch - unsettled.size
  }

  const receiveDelivery = (delivery: Delivery) => {
    if (stopping.signal.aborted) return delivery.nak()
    handlesOneByOne = delivery.deliveries > 1
    const key = `${delivery.sequence}:${delivery.storedAt.getTime()}`
    const earlierDelivery = unsettled.get(key)
    if (earlierDelivery) {
      // The broker redelivered after a timeout or a lost connection; the running handler settles this delivery.
      earlierDelivery.delivery = delivery
      return
    }
    const message = { key, delivery }
    unsettled.set(key, message)
    waiting.push(message)
    startHandlers()
  }

  const release = ({ key }: UnsettledMessage) => {
    unsettled.delete(key)
    slotFreed.resolve()
    slotFreed = Promise.withResolvers<void>()
  }

  const startHandlers = () => {
    while (!stopping.signal.aborted && activeRuns.size < parallel) {
      const next = waiting.shift()
      if (!next) return
      const run = settle(next)
        .catch((error: unknown) => {
          log.error({ durable, err: error }, 'message not settled; the broker redelivers it')
          reportError(error, { source: `consumer ${durable}` })
          next.delivery.nak(retryDelays.at(-1))
        })
        .finally(() => {
          release(next)
          activeRuns.delete(run)
          startHandlers()
        })
      activeRuns.add(run)
    }
  }

  const keepAliveTimer = setInterval(() => {
    for (const { delivery } of unsettled.values()) delivery.working()
  }, ackWait / 3)
  const stopDelivery = bus.deliver({ durable, subject: options.subject, prefetch, ackWait }, freeSlots, receiveDelivery)

  return {
    async stop() {
      stopping.abort()
      // Stop the pull first; otherwise the broker redelivers to this process at once.
      stopDelivery()
      for (const message of waiting.splice(0)) {
        message.delivery.nak()
        release(message)
      }
      await Promise.all(activeRuns)
      clearInterval(keepAliveTimer)
    },
  }
}
