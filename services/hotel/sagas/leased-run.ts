import { inTransaction } from '../../kernel/database/database.ts'
import { LeaseLostError } from '../../kernel/database/lease.ts'
import type { Log } from '../../kernel/process/log.ts'
import type { HotelDb, HotelTrx, SetupRow, StepRow } from '../tables.ts'
import { assertLease, findRun, type SagaLease, setRun, setStep, stepsOf } from './runs.sql.ts'
import type { Saga, SagaRun, SagaState, SagaStep } from './saga.ts'

/** Dependencies of a process's runs. */
export type Sagas = {
  db: HotelDb
  log: Log
  sagasByKind: ReadonlyMap<string, Saga>
  leaseMs: number
  retryMs: number
  attempts: number
  recheckMs: number
  /** The runs of this process, awaited on shutdown. */
  active: Set<Promise<unknown>>
  /** Wakes the worker of this process. */
  wake(): void
}

/** A run that this process has leased: its row and its steps with their procedures. */
export type LeasedRun = {
  saga: Saga
  row: SetupRow
  steps: { row: StepRow; step: SagaStep }[]
  run: SagaRun
  lease: SagaLease
}

const maxRetryMs = 300_000

/** Reads a leased run. */
export async function loadLeasedRun(sagas: Sagas, lease: SagaLease): Promise<LeasedRun> {
  const { db, sagasByKind } = sagas
  const row = await findRun(db, lease.id)
  const saga = row && sagasByKind.get(row.kind)
  if (!row || !saga) throw new LeaseLostError(`run ${lease.id} is unknown here`)
  const rows = await stepsOf(db, [lease.id])
  const steps = saga.steps.flatMap(step => {
    const stepRow = rows.find(({ name }) => name === step.name)
    return stepRow ? [{ row: stepRow, step }] : []
  })
  const state = Object.assign({}, ...rows.map(one => parseState(one.result)))
  const run: SagaRun = {
    id: row.id,
    hotelId: row.hotel_id,
    input: JSON.parse(row.input),
    actor: JSON.parse(row.actor),
    state,
    attempt: 0,
    startedAt: row.created_at,
    idempotencyKey: '',
    keep: async () => {},
  }
  return { saga, row, steps, run, lease }
}

/** Sets `run` to one step, whose procedure receives it. */
export function setCurrentStep(sagas: Sagas, leasedRun: LeasedRun, row: StepRow): void {
  const { run, lease } = leasedRun
  run.attempt = row.attempts
  run.startedAt = row.started_at ?? new Date()
  run.idempotencyKey = row.idempotency_key
  run.keep = async part => {
    Object.assign(run.state, part)
    const result = { ...parseState(row.result), ...part }
    row.result = JSON.stringify(result)
    await inTransaction(sagas.db, async trx => {
      await assertLease(trx, lease)
      await setStep(trx, row, { result })
    })
  }
}

/** Schedules the next attempt after a growing delay, or parks the run for an operator. */
export async function postpone(sagas: Sagas, trx: HotelTrx, leasedRun: LeasedRun, error?: string) {
  const { row, run } = leasedRun
  const attempts = row.attempts + 1
  const errorColumn = error === undefined ? {} : { error }
  if (attempts >= sagas.attempts) {
    sagas.log.error({ run: run.id, hotel: run.hotelId, kind: row.kind }, 'saga run parked; an operator must resume it')
    return setRun(trx, run.id, { status: 'parked', attempts, ...errorColumn })
  }
  const retryInMs = Math.min(sagas.retryMs * 2 ** Math.min(row.attempts, 20), maxRetryMs)
  await setRun(trx, run.id, { attempts, retryInMs, ...errorColumn })
}

/** Parses the result of a step. */
export const parseState = (text: string | null): SagaState => (text === null ? {} : JSON.parse(text))
