import { inTransaction, isUnavailable } from '../../kernel/database/database.ts'
import { LeaseLostError } from '../../kernel/database/lease.ts'
import { sharedFailpoint } from '../../kernel/process/failpoint.ts'
import type { StepRow } from '../tables.ts'
import { errorText } from './errors.ts'
import { type LeasedRun, postpone, type Sagas, setCurrentStep } from './leased-run.ts'
import { assertLease, setRun, setStep } from './runs.sql.ts'

/**
 * Undoes the steps of a run, last first. A step that can't be undone doesn't block independent ones and is retried
 * later. A step whose call had no clear answer is checked twice, since its effect may come late.
 */
export async function undoRun(sagas: Sagas, leasedRun: LeasedRun): Promise<void> {
  const failedStepNames: string[] = []
  let mustRecheck = false
  for (const { row, step } of leasedRun.steps.toReversed()) {
    if (row.status === 'pending' || row.status === 'undone') continue
    const isBlocked = step.undoAfter?.some(name => failedStepNames.includes(name))
    const result = isBlocked ? 'resists' : await undoStep(sagas, leasedRun, row, step)
    if (result === 'resists') failedStepNames.push(step.name)
    if (result === 'again') mustRecheck = true
  }
  await inTransaction(sagas.db, async trx => {
    await assertLease(trx, leasedRun.lease)
    if (failedStepNames.length > 0) return postpone(sagas, trx, leasedRun)
    if (mustRecheck) return setRun(trx, leasedRun.run.id, { retryInMs: sagas.recheckMs })
    await setRun(trx, leasedRun.run.id, { status: 'undone' })
  })
}

type Result = 'undone' | 'again' | 'resists'

async function undoStep(
  sagas: Sagas,
  leasedRun: LeasedRun,
  row: StepRow,
  step: LeasedRun['steps'][number]['step'],
): Promise<Result> {
  const { run, lease } = leasedRun
  // A clear refusal had no effect; a crash or an unanswered call may have had one.
  const hadNoEffect = row.status === 'failed' && row.uncertain === 0
  try {
    setCurrentStep(sagas, leasedRun, row)
    if (!hadNoEffect) await step.undo?.(run)
    await sharedFailpoint(`${leasedRun.saga.kind}-${step.name}-undo`)
    const mustUndoAgain = row.uncertain === 1 && step.undo !== undefined
    await inTransaction(sagas.db, async trx => {
      await assertLease(trx, lease)
      if (!hadNoEffect) await step.unrecord?.(trx, run)
      if (mustUndoAgain) await setStep(trx, row, { status: 'undoing', uncertain: 0, setsEnd: true })
      else await setStep(trx, row, { status: 'undone', claim: null, setsEnd: true })
    })
    row.status = mustUndoAgain ? 'undoing' : 'undone'
    return mustUndoAgain ? 'again' : 'undone'
  } catch (error) {
    if (error instanceof LeaseLostError || isUnavailable(error)) throw error
    sagas.log.warn({ run: run.id, hotel: run.hotelId, step: row.name, err: error }, 'saga step not undone')
    await inTransaction(sagas.db, async trx => {
      await assertLease(trx, lease)
      await setStep(trx, row, { status: 'undoing', error: errorText(error), setsStart: true, setsEnd: true })
    })
    row.status = 'undoing'
    row.attempts += 1
    return 'resists'
  }
}
