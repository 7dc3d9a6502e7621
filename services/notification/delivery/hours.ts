import type { Log } from '../../kernel/process/log.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import type { NotificationDb } from '../tables.ts'
import { countDeliveries, deleteOldHours, hourOf } from './hours.sql.ts'

/** Counts receivers of socket frames. */
export type SocketCount = {
  add(members: number): void
  /** Writes the counts still in memory. */
  stop(): Promise<void>
}

const writeMs = 5_000
const keptHours = 90 * 24

/**
 * Counts frames in memory and writes them every five seconds: with hundreds of events a second, a row that each of them
 * updates would serialise them. A killed process loses its last five seconds.
 */
export function countSockets(db: NotificationDb, log: Log): SocketCount {
  let unwrittenCount = 0
  let cleanedHour: number | undefined

  const write = async (): Promise<void> => {
    const now = new Date()
    const deliveries = unwrittenCount
    unwrittenCount = 0
    try {
      if (deliveries > 0) await countDeliveries(db, now, [{ channel: 'socket', status: 'success', deliveries }])
    } catch (error) {
      unwrittenCount += deliveries
      log.debug({ err: error }, 'frame counts not written; retrying')
    }
    const hour = hourOf(now).getTime()
    if (cleanedHour === hour) return
    cleanedHour = hour
    await deleteOldHours(db, hourOf(now, keptHours)).catch(() => undefined)
  }
  const writing = repeatEvery(writeMs, write)

  return {
    add(members) {
      unwrittenCount += members
    },
    async stop() {
      await writing.stop()
      await writing.run()
    },
  }
}
