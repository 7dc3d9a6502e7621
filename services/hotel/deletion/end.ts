import { systemActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { repeatEvery } from '../../kernel/process/repeat.ts'
import { lockOverdueHotel, writeHotel } from '../hotels.sql.ts'
import { now } from '../rows.ts'
import type { Sagas } from '../sagas/leased-run.ts'
import type { SagaLease } from '../sagas/runs.sql.ts'
import type { Saga } from '../sagas/saga.ts'
import { openRun, runToEnd } from '../sagas/worker.ts'

type FinalDeletionParts = { sagas: Sagas; finalDeletion: Saga; restoreDays: number; pollMs: number }

/** Starts the end of one deleted hotel whose grace period is over; mark and run are one transaction. */
const openNextRun = ({ sagas, finalDeletion, restoreDays }: FinalDeletionParts): Promise<SagaLease | undefined> =>
  inTransaction(sagas.db, async trx => {
    const hotel = await lockOverdueHotel(trx, restoreDays)
    if (!hotel) return undefined
    await writeHotel(trx, hotel.id, { ended_at: now })
    return openRun(sagas, trx, finalDeletion, { hotelId: hotel.id, input: { name: hotel.name }, actor: systemActor })
  })

/**
 * Frees the resources of deleted hotels that can no longer be restored: checks now and every `pollMs`. Safe in several
 * processes: each hotel ends once, in a durable run.
 * @returns a function that stops it
 */
export function startFinalDeletions(parts: FinalDeletionParts): () => Promise<void> {
  const { sagas, pollMs } = parts
  let isStopped = false
  const runDueDeletions = async (): Promise<void> => {
    for (let lease = await openNextRun(parts); lease; lease = isStopped ? undefined : await openNextRun(parts)) {
      const { id } = lease
      await runToEnd(sagas, lease).catch((error: unknown) =>
        sagas.log.warn({ run: id, reason: String(error) }, 'hotel deletion interrupted; retrying'),
      )
    }
  }
  const poll = repeatEvery(pollMs, runDueDeletions, err => sagas.log.warn({ err }, 'deleted hotels not read; retrying'))
  void poll.run()
  return () => {
    isStopped = true
    return poll.stop()
  }
}
