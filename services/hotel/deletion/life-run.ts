import { ConflictError } from '../../kernel/base/errors.ts'
import { isDuplicateKey } from '../../kernel/database/database.ts'
import type { Sagas } from '../sagas/leased-run.ts'
import type { SagaLease } from '../sagas/runs.sql.ts'
import { runToEnd } from '../sagas/worker.ts'

/** Serialises what closes or opens a hotel: deletion, restoration, suspension and its end. */
export const exclusiveKey = 'life'

/**
 * Continues a run with `exclusiveKey` once the transaction that opens it has committed. The hotel is changed by then,
 * so the call succeeds when an effect outside fails, and the run is retried. ConflictError while another one is open.
 */
export async function continueLifeRun(sagas: Sagas, pendingLease: Promise<SagaLease | undefined>): Promise<void> {
  const lease = await pendingLease.catch((error: unknown) => {
    const isConcurrent = isDuplicateKey(error, 'hotel_setups_open')
    throw isConcurrent ? new ConflictError('The hotel is still being closed or opened') : error
  })
  if (!lease) return
  await runToEnd(sagas, lease).catch((error: unknown) =>
    sagas.log.warn({ run: lease.id, reason: String(error) }, 'saga run interrupted; retrying'),
  )
}
