import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { startPoller } from '../../kernel/base/poller.ts'
import { afterCommit, inTransaction } from '../../kernel/database/database.ts'
import { LeaseLostError } from '../../kernel/database/lease.ts'
import type { HotelTrx } from '../tables.ts'
import { recalledError } from './errors.ts'
import type { Sagas } from './leased-run.ts'
import { advance } from './run.ts'
import { claimRun, findRun, insertRun, type NewRun, type SagaLease, untilNextRun } from './runs.sql.ts'
import type { Saga } from './saga.ts'

const longestPollMs = 1_000
const maxParallelRuns = 4
const stopPatienceMs = 8_000

/** Claims runs of crashed processes, and those whose next attempt is due. */
export function startSagaWorker(sagas: Sagas) {
  const runningRuns = new Set<Promise<void>>()
  // Short compared with the first retry delays.
  const pollMs = Math.min(longestPollMs, 5 * sagas.retryMs)
  /** @returns the time until the next poll, in ms */
  const startDueRun = async (): Promise<number | undefined> => {
    if (runningRuns.size >= maxParallelRuns) return pollMs
    const dueInMs = await untilNextRun(sagas.db)
    if (dueInMs !== 0) return dueInMs && Math.min(pollMs, dueInMs)
    const lease = await inTransaction(sagas.db, trx => claimRun(trx, sagas.leaseMs))
    if (!lease) return pollMs
    const run = advance(sagas, lease)
      .then(() => {})
      .catch((error: unknown) => sagas.log.warn({ run: lease.id, reason: String(error) }, 'saga run interrupted'))
      .finally(() => runningRuns.delete(run))
    runningRuns.add(run)
    return 0
  }
  const poller = startPoller({
    poll: startDueRun,
    failed: error => sagas.log.warn({ reason: String(error) }, 'saga runs not claimed; retrying'),
    everyMs: pollMs,
  })
  return {
    /** Looks for due runs, now and while any is open. */
    wake: poller.wake,
    /** Starts no more runs and waits for those in progress. */
    async stop() {
      await poller.stop()
      // A run that takes longer is left to another process.
      await Promise.race([Promise.allSettled([...sagas.active]), sleep(stopPatienceMs, undefined, { ref: false })])
    },
  }
}

/** Inserts a run that this process owns; call {@link runToEnd} after the commit. */
export function openRun(sagas: Sagas, trx: HotelTrx, saga: Saga, run: NewRun): Promise<SagaLease> {
  afterCommit(trx, () => sagas.wake())
  return insertRun(trx, saga, run, sagas.leaseMs)
}

/** Inserts a run for the first worker that claims it. */
export async function enqueueRun(sagas: Sagas, trx: HotelTrx, saga: Saga, run: NewRun): Promise<void> {
  afterCommit(trx, () => sagas.wake())
  await insertRun(trx, saga, run)
}

/** Advances a run to its end or to its next attempt, and throws the error that stopped it. */
export async function runToEnd(sagas: Sagas, lease: SagaLease): Promise<void> {
  try {
    const error = await advance(sagas, lease)
    if (error !== undefined) throw error
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    await awaitOutcome(sagas, lease.id)
  }
}

/** Waits for the result of a run that another call or process is advancing, and throws the error that stopped it. */
export async function awaitOutcome(sagas: Sagas, id: string, patienceMs = 45_000): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 200) {
    const row = await findRun(sagas.db, id)
    if (!row || row.status === 'completed') return
    if (row.error !== null) throw recalledError(row.error)
    await sleep(200)
  }
  throw new ServiceUnavailableError('The setup is still running, try again')
}
