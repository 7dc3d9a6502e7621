import { sql } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { LeaseLostError, msFromNow } from '../../kernel/database/lease.ts'
import { now } from '../rows.ts'
import type { HotelDb, HotelTrx, SetupRow, SetupStatus, StepRow } from '../tables.ts'
import type { Saga, SagaInput, SagaState } from './saga.ts'

export type NewRun = {
  hotelId: string
  input: SagaInput
  actor: EventActor
  idempotencyKey?: string | undefined
  requestDigest?: string | undefined
  /** With this key, a second open run of the hotel is refused. */
  exclusiveKey?: string
}

/** A run and the token of its owner. */
export type SagaLease = { id: string; owner: string }

const openKey = (exclusiveKey: string, hotelId: string): string => `${exclusiveKey}:${hotelId}`

/** Inserts a run with its steps; with `leaseMs` the caller owns it, else the first process that claims it. */
export async function insertRun(trx: HotelTrx, saga: Saga, run: NewRun, leaseMs?: number): Promise<SagaLease> {
  const lease = { id: newId(), owner: newId() }
  await trx
    .insertInto('hotel_setups')
    .values({
      id: lease.id,
      hotel_id: run.hotelId,
      hotel_name: run.input.name,
      kind: saga.kind,
      status: 'running',
      input: JSON.stringify(run.input),
      actor: JSON.stringify(run.actor),
      idempotency_key: run.idempotencyKey ?? null,
      request_digest: run.requestDigest ?? null,
      open_key: run.exclusiveKey ? openKey(run.exclusiveKey, run.hotelId) : null,
      lease_owner: leaseMs === undefined ? null : lease.owner,
      lease_until: leaseMs === undefined ? null : msFromNow(leaseMs),
    })
    .execute()
  const steps = saga.steps.map(({ name }, index) => ({
    setup_id: lease.id,
    position: index + 1,
    name,
    status: 'pending' as const,
    idempotency_key: `${run.hotelId}:${lease.id.slice(-8)}:${name}`,
  }))
  await trx.insertInto('hotel_setup_steps').values(steps).execute()
  return lease
}

/** Due runs without an owner, oldest first. */
const dueRuns = (db: HotelDb | HotelTrx) =>
  db
    .selectFrom('hotel_setups')
    .select('id')
    .where('status', 'in', ['running', 'undoing'])
    .where(eb => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now)]))
    .where(eb => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', now)]))
    .orderBy('created_at')
    .limit(1)

/**
 * Milliseconds until a run without an owner is due, 0 when one is; undefined when no run is open. A cheap query, since
 * claiming takes a transaction and usually finds nothing.
 */
export async function untilNextRun(db: HotelDb): Promise<number | undefined> {
  const dueAt = sql`min(greatest(coalesce(lease_until, now(3)), coalesce(retry_at, now(3))))`
  const { micros } = await db
    .selectFrom('hotel_setups')
    .select(sql<number | null>`timestampdiff(microsecond, now(3), ${dueAt})`.as('micros'))
    .where('status', 'in', ['running', 'undoing'])
    .executeTakeFirstOrThrow()
  return micros === null ? undefined : Math.max(0, micros / 1_000)
}

/** How many runs haven't ended, by status. */
export const countOpenRuns = (db: HotelDb) =>
  db
    .selectFrom('hotel_setups')
    .select(['status', eb => eb.fn.countAll<number>().as('runs')])
    .where('status', 'in', ['running', 'undoing', 'parked'])
    .groupBy('status')
    .execute()

/** Claims the next due run; locked ones are skipped. */
export async function claimRun(trx: HotelTrx, leaseMs: number): Promise<SagaLease | undefined> {
  const dueRun = await dueRuns(trx).forUpdate().skipLocked().executeTakeFirst()
  if (!dueRun) return undefined
  const owner = newId()
  const lease = { lease_owner: owner, lease_until: msFromNow(leaseMs) }
  await trx.updateTable('hotel_setups').set(lease).where('id', '=', dueRun.id).execute()
  return { id: dueRun.id, owner }
}

/**
 * Renews a lease.
 * @returns false when another process owns the run
 */
export async function renewLease(db: HotelDb, { id, owner }: SagaLease, leaseMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('hotel_setups')
    .set({ lease_until: msFromNow(leaseMs) })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Locks the run's row until the transaction ends, or throws LeaseLostError: a process whose lease expired must write
 * nothing.
 */
export async function assertLease(trx: HotelTrx, { id, owner }: SagaLease): Promise<void> {
  const { rows } = await sql`
    select id from hotel_setups where id = ${id} and lease_owner = ${owner} for update
  `.execute(trx)
  if (rows.length === 0) throw new LeaseLostError(`run ${id} belongs to another process`)
}

export const findRun = (db: HotelDb, id: string): Promise<SetupRow | undefined> =>
  db.selectFrom('hotel_setups').selectAll().where('id', '=', id).executeTakeFirst()

/** The open run that excludes others of its kind for the hotel. */
export const findOpenRun = (db: HotelDb, exclusiveKey: string, hotelId: string): Promise<SetupRow | undefined> =>
  db.selectFrom('hotel_setups').selectAll().where('open_key', '=', openKey(exclusiveKey, hotelId)).executeTakeFirst()

export const stepsOf = (db: HotelDb, ids: readonly string[]): Promise<StepRow[]> =>
  db.selectFrom('hotel_setup_steps').selectAll().where('setup_id', 'in', ids).orderBy('position').execute()

/** Updates a run; a finished one clears its locks and personal data. */
export async function setRun(
  trx: HotelTrx,
  id: string,
  change: { status?: SetupStatus; error?: string | null; retryInMs?: number; attempts?: number },
): Promise<void> {
  const { status, error, retryInMs, attempts } = change
  const isClosed = status === 'completed' || status === 'undone'
  await trx
    .updateTable('hotel_setups')
    .set({
      updated_at: now,
      retry_at: retryInMs === undefined ? null : msFromNow(retryInMs),
      ...(status !== undefined && { status }),
      ...(error !== undefined && { error }),
      ...(attempts !== undefined && { attempts }),
      // Removes the personal data of the request; the hotel's record has what is needed.
      ...(isClosed && { open_key: null, input: sql<string>`json_object('name', hotel_name)` }),
      // An undone run has no result to repeat, so its key becomes free for another attempt.
      ...(status === 'undone' && { idempotency_key: null }),
      ...((isClosed || status === 'parked' || retryInMs !== undefined) && { lease_owner: null, lease_until: null }),
    })
    .where('id', '=', id)
    .execute()
  if (status === 'undone')
    await trx.updateTable('hotel_setup_steps').set({ result: null }).where('setup_id', '=', id).execute()
}

type StepChange = Partial<Pick<StepRow, 'status' | 'claim' | 'error' | 'uncertain'>> & {
  result?: SagaState
  setsStart?: boolean
  setsEnd?: boolean
}

/** Updates a step. */
export async function setStep(trx: HotelTrx, step: StepRow, change: StepChange): Promise<void> {
  const { result, setsStart, setsEnd, ...columns } = change
  await trx
    .updateTable('hotel_setup_steps')
    .set({
      ...columns,
      ...(result !== undefined && { result: JSON.stringify(result) }),
      ...(setsStart && { attempts: step.attempts + 1, started_at: sql<Date>`coalesce(started_at, now(3))` }),
      ...(setsEnd && { finished_at: now }),
    })
    .where('setup_id', '=', step.setup_id)
    .where('position', '=', step.position)
    .execute()
}
