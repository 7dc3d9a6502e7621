import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { Db } from '../tables.ts'
import { countDeliveries, deleteOldHours, hourOf } from './hours.sql.ts'

/** Counts receivers of socket frames. */
export type SocketCount = {
  add(members: number): void
  /** Writes the counts still in memory. */
  stop(): Promise<void>
}

const tellMs = 1_000
const keptHours = 90 * 24

/**
 * Counts frames in memory and writes them once a second: with hundreds of events a second, a row that each of them
 * updates would serialise them. A killed process loses its last second.
 */
export function countSockets(db: Db, log: Log): SocketCount {
  let untold = 0
  let forgotten: number | undefined

  const tell = async (): Promise<void> => {
    const now = new Date()
    const deliveries = untold
    untold = 0
    try {
      if (deliveries > 0) await countDeliveries(db, now, [{ channel: 'socket', status: 'success', deliveries }])
    } catch (error) {
      untold += deliveries
      log.debug({ err: error }, 'frame counts not written; retrying')
    }
    const hour = hourOf(now).getTime()
    if (forgotten === hour) return
    forgotten = hour
    await deleteOldHours(db, hourOf(now, keptHours)).catch(() => undefined)
  }
  const telling = repeatEvery(tellMs, tell)

  return {
    add(members) {
      untold += members
    },
    async stop() {
      await telling.stop()
      await telling.run()
    },
  }
}
