import { setTimeout as sleep } from 'node:timers/promises'
import { ConflictError, toRpcError } from '../../kernel/base/errors.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { inTransaction, isDuplicateKey, isUnavailable } from '../../kernel/database/database.ts'
import { LeaseLostError, withRenewal } from '../../kernel/database/lease.ts'
import { sharedFailpoint } from '../../kernel/process/failpoint.ts'
import type { StepRow } from '../tables.ts'
import { errorText, storedError } from './errors.ts'
import { type LeasedRun, loadLeasedRun, parseState, postpone, type Sagas, setCurrentStep } from './leased-run.ts'
import { assertLease, renewLease, type SagaLease, setRun, setStep, stepsOf } from './runs.sql.ts'
import { undoRun } from './undo.ts'

const claimTimeoutMs = 20_000

/**
 * Advances a leased run to its end or to its next attempt, renewing the lease meanwhile.
 * @returns the error that stopped it, undefined when it is completed
 */
export async function advance(sagas: Sagas, lease: SagaLease): Promise<unknown> {
  const work = withRenewal(
    sagas.leaseMs,
    () => renewLease(sagas.db, lease, sagas.leaseMs),
    error => sagas.log.warn({ run: lease.id, reason: String(error) }, 'saga lease not renewed'),
    () => runSteps(sagas, lease),
  )
  sagas.active.add(work)
  try {
    return await work
  } finally {
    sagas.active.delete(work)
  }
}

async function runSteps(sagas: Sagas, lease: SagaLease): Promise<unknown> {
  const leasedRun = await loadLeasedRun(sagas, lease)
  if (leasedRun.row.status === 'undoing') {
    await undoRun(sagas, leasedRun)
    return undefined
  }
  for (const [index, current] of leasedRun.steps.entries()) {
    if (current.row.status === 'done') continue
    const failure = await performStep(sagas, leasedRun, current, index === leasedRun.steps.length - 1)
    if (failure === undefined) continue
    if (leasedRun.saga.onFailure === 'undo') await undoRun(sagas, leasedRun)
    return failure.error
  }
  return undefined
}

type Current = LeasedRun['steps'][number]

/**
 * Writes the intent, performs the effect, writes the result.
 * @returns the error, undefined when the step is done
 */
async function performStep(sagas: Sagas, leasedRun: LeasedRun, { row, step }: Current, isLast: boolean) {
  const { run, lease, saga } = leasedRun
  try {
    await beginStep(sagas, leasedRun, { row, step })
    await sharedFailpoint(`${saga.kind}-${step.name}-intent`)
    const result = (await step.perform?.(run)) ?? {}
    await sharedFailpoint(`${saga.kind}-${step.name}-effect`)
    Object.assign(run.state, result)
    const stepResult = { ...parseState(row.result), ...result }
    await inTransaction(sagas.db, async trx => {
      await assertLease(trx, lease)
      await step.record?.(trx, run)
      await setStep(trx, row, {
        status: 'done',
        result: stepResult,
        claim: null,
        error: null,
        uncertain: 0,
        setsEnd: true,
      })
      if (isLast) await setRun(trx, run.id, { status: 'completed', error: null })
    })
    row.status = 'done'
    row.result = JSON.stringify(stepResult)
    return undefined
  } catch (error) {
    // Without its database or its lease, the process must write nothing: the run resumes from its rows.
    if (error instanceof LeaseLostError || isUnavailable(error)) throw error
    await fail(sagas, leasedRun, row, error)
    return { error }
  }
}

async function beginStep(sagas: Sagas, leasedRun: LeasedRun, { row, step }: Current): Promise<void> {
  const claim = step.claim ? digest(step.claim(leasedRun.run)) : null
  for (let waitedMs = 0; ; waitedMs += 200) {
    try {
      await inTransaction(sagas.db, async trx => {
        await assertLease(trx, leasedRun.lease)
        await setStep(trx, row, { status: 'started', claim, setsStart: true })
      })
      break
    } catch (error) {
      if (!isDuplicateKey(error, 'hotel_setup_steps_claim')) throw error
      if (waitedMs >= claimTimeoutMs) throw new ConflictError('Another setup is in progress, try again')
    }
    await sleep(200)
  }
  const [currentRow] = (await stepsOf(sagas.db, [leasedRun.run.id])).filter(one => one.position === row.position)
  if (currentRow) Object.assign(row, currentRow)
  setCurrentStep(sagas, leasedRun, row)
}

async function fail(sagas: Sagas, leasedRun: LeasedRun, row: StepRow, error: unknown): Promise<void> {
  const { saga, run, lease } = leasedRun
  const { status } = toRpcError(error).info
  sagas.log.warn({ run: run.id, hotel: run.hotelId, kind: saga.kind, step: row.name, err: error }, 'saga step failed')
  await inTransaction(sagas.db, async trx => {
    await assertLease(trx, lease)
    const outcome = { error: errorText(error), uncertain: status >= 500 ? 1 : 0, setsEnd: true }
    // A step to undo keeps its claim until it is undone.
    await setStep(trx, row, { status: 'failed', ...outcome, ...(saga.onFailure === 'retry' && { claim: null }) })
    if (saga.onFailure === 'undo') await setRun(trx, run.id, { status: 'undoing', error: storedError(error) })
    else await postpone(sagas, trx, leasedRun, storedError(error))
  })
  row.status = 'failed'
  row.uncertain = status >= 500 ? 1 : 0
}
