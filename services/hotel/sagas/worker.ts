import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Trx } from '../tables.ts'
import { recalledError } from './errors.ts'
import type { Sagas } from './held.ts'
import { advance } from './run.ts'
import { claimRun, findRun, hasDueRun, insertRun, type Lease, type NewRun } from './runs.sql.ts'
import { LeaseLostError, type Saga } from './saga.ts'

const longestPollMs = 1_000
const parallel = 4
const stopPatienceMs = 8_000

/** Takes up runs that nobody is at work on: those of dead processes, and those whose next try is due. */
export function startSagaWorker(sagas: Sagas) {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  const take = async (): Promise<boolean> => {
    if (!(await hasDueRun(sagas.db))) return false
    const lease = await inTransaction(sagas.db, trx => claimRun(trx, sagas.leaseMs))
    if (!lease) return false
    const work = advance(sagas, lease)
      .then(() => {})
      .catch((error: unknown) => sagas.log.warn({ run: lease.id, reason: String(error) }, 'a run was left'))
      .finally(() => running.delete(work))
    running.add(work)
    return true
  }
  // Seldom enough to cost nothing, and no longer than a few of the shortest pauses.
  const pollMs = Math.min(longestPollMs, 5 * sagas.retryMs)
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        while (running.size < parallel && !stopping.signal.aborted && (await take())) continue
      } catch (error) {
        sagas.log.warn({ reason: String(error) }, 'runs wait for the database')
      }
      await sleep(pollMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const done = loop()
  return {
    /** Starts nothing more and waits for what is under way. */
    async stop() {
      stopping.abort()
      await done
      // What takes longer is left to the process that comes after.
      await Promise.race([Promise.allSettled([...sagas.active]), sleep(stopPatienceMs, undefined, { ref: false })])
    },
  }
}

/** Writes a run that belongs to this process; take it further with {@link runToEnd} after the commit. */
export const openRun = (sagas: Sagas, trx: Trx, saga: Saga, run: NewRun): Promise<Lease> =>
  insertRun(trx, saga, run, sagas.leaseMs)

/** Takes a run as far as it goes now and throws what stopped it. */
export async function runToEnd(sagas: Sagas, lease: Lease): Promise<void> {
  try {
    const error = await advance(sagas, lease)
    if (error !== undefined) throw error
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    await awaitOutcome(sagas, lease.id)
  }
}

/** Waits for the result of a run that another call or process is at work on, and throws what stopped it. */
export async function awaitOutcome(sagas: Sagas, id: string, patienceMs = 45_000): Promise<void> {
  for (let waited = 0; waited < patienceMs; waited += 200) {
    const row = await findRun(sagas.db, id)
    if (!row || row.status === 'completed') return
    if (row.error !== null) throw recalledError(row.error)
    await sleep(200)
  }
  throw new ServiceUnavailableError('The set-up is still running, ask again')
}
