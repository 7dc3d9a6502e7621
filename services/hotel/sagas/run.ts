import { setTimeout as sleep } from 'node:timers/promises'
import { ConflictError, toPlatformError } from '../../kernel/base/errors.ts'
import { sharedFailpoint } from '../../kernel/base/failpoint.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { inTransaction, isDuplicateKey, isUnavailable } from '../../kernel/database/database.ts'
import { LeaseLostError, whileRenewed } from '../../kernel/database/lease.ts'
import type { StepRow } from '../tables.ts'
import { errorText, storedError } from './errors.ts'
import { type Held, loadHeld, parseState, pointAtStep, postpone, type Sagas } from './held.ts'
import { assertLease, type Lease, renewLease, setRun, setStep, stepsOf } from './runs.sql.ts'
import { undoRun } from './undo.ts'

const claimPatience = 20_000

/**
 * Advances a leased run to its end or to its next attempt, renewing the lease meanwhile.
 * @returns the error that stopped it, undefined when it is completed
 */
export async function advance(sagas: Sagas, lease: Lease): Promise<unknown> {
  const work = whileRenewed(
    sagas.leaseMs,
    () => renewLease(sagas.db, lease, sagas.leaseMs),
    error => sagas.log.warn({ run: lease.id, reason: String(error) }, 'saga lease not renewed'),
    () => proceed(sagas, lease),
  )
  sagas.active.add(work)
  try {
    return await work
  } finally {
    sagas.active.delete(work)
  }
}

async function proceed(sagas: Sagas, lease: Lease): Promise<unknown> {
  const held = await loadHeld(sagas, lease)
  if (held.row.status === 'undoing') {
    await undoRun(sagas, held)
    return undefined
  }
  for (const [index, current] of held.steps.entries()) {
    if (current.row.status === 'done') continue
    const failure = await forward(sagas, held, current, index === held.steps.length - 1)
    if (failure === undefined) continue
    if (held.saga.onFailure === 'undo') await undoRun(sagas, held)
    return failure.error
  }
  return undefined
}

type Current = Held['steps'][number]

/**
 * Writes the intent, performs the effect, writes the result.
 * @returns the error, undefined when the step is done
 */
async function forward(sagas: Sagas, held: Held, { row, step }: Current, last: boolean) {
  const { run, lease, saga } = held
  try {
    await begin(sagas, held, { row, step })
    await sharedFailpoint(`${saga.kind}-${step.name}-intent`)
    const result = (await step.perform?.(run)) ?? {}
    await sharedFailpoint(`${saga.kind}-${step.name}-effect`)
    Object.assign(run.state, result)
    const whole = { ...parseState(row.result), ...result }
    await inTransaction(sagas.db, async trx => {
      await assertLease(trx, lease)
      await step.record?.(trx, run)
      await setStep(trx, row, { status: 'done', result: whole, claim: null, error: null, uncertain: 0, ends: true })
      if (last) await setRun(trx, run.id, { status: 'completed', error: null })
    })
    row.status = 'done'
    row.result = JSON.stringify(whole)
    return undefined
  } catch (error) {
    // Without its database or its lease, the process must write nothing: the run resumes from its rows.
    if (error instanceof LeaseLostError || isUnavailable(error)) throw error
    await fail(sagas, held, row, error)
    return { error }
  }
}

async function begin(sagas: Sagas, held: Held, { row, step }: Current): Promise<void> {
  const claim = step.claim ? digest(step.claim(held.run)) : null
  for (let waited = 0; ; waited += 200) {
    try {
      await inTransaction(sagas.db, async trx => {
        await assertLease(trx, held.lease)
        await setStep(trx, row, { status: 'started', claim, starts: true })
      })
      break
    } catch (error) {
      if (!isDuplicateKey(error, 'hotel_setup_steps_claim')) throw error
      if (waited >= claimPatience) throw new ConflictError('Another setup is in progress, try again')
    }
    await sleep(200)
  }
  const [fresh] = (await stepsOf(sagas.db, [held.run.id])).filter(each => each.position === row.position)
  if (fresh) Object.assign(row, fresh)
  pointAtStep(sagas, held, row)
}

async function fail(sagas: Sagas, held: Held, row: StepRow, error: unknown): Promise<void> {
  const { saga, run, lease } = held
  const { status } = toPlatformError(error).info
  sagas.log.warn({ run: run.id, hotel: run.hotelId, kind: saga.kind, step: row.name, err: error }, 'saga step failed')
  await inTransaction(sagas.db, async trx => {
    await assertLease(trx, lease)
    const outcome = { error: errorText(error), uncertain: status >= 500 ? 1 : 0, ends: true }
    // A step to undo keeps its claim until it is undone.
    await setStep(trx, row, { status: 'failed', ...outcome, ...(saga.onFailure === 'retry' && { claim: null }) })
    if (saga.onFailure === 'undo') await setRun(trx, run.id, { status: 'undoing', error: storedError(error) })
    else await postpone(sagas, trx, held, storedError(error))
  })
  row.status = 'failed'
  row.uncertain = status >= 500 ? 1 : 0
}
