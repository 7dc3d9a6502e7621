import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql, type Transaction } from 'kysely'
import { newId } from '../base/ids.ts'
import { repeatEvery } from '../process/repeat.ts'
import { retryContention } from './database.ts'

/*
 * A lease lets one process at a time do a piece of work. It is a row beside the data, so it holds whichever server a
 * process is connected to, which GET_LOCK doesn't. It expires by the database's clock unless its holder renews it, so
 * that a killed holder is replaced.
 */

/** How long the lease of a killed process keeps others waiting, in ms. */
export const leaseMs = 30_000

export type Lease = { name: string; holder: string; ms: number }

/** Another process has taken over the work. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/** Now plus some milliseconds, by the database's clock. */
export const msFromNow = (ms: number) => sql<Date>`date_add(now(3), interval ${Math.round(ms * 1000)} microsecond)`

/**
 * Does `work` as the only process, and renews the lease meanwhile.
 * @returns its result, undefined when another process holds the lease
 */
export async function withLease<T, R>(
  db: Kysely<T>,
  name: string,
  work: (lease: Lease) => Promise<R>,
  ms = leaseMs,
): Promise<R | undefined> {
  const lease = await takeLease(db, name, ms)
  if (!lease) return undefined
  try {
    // A failed renewal is repeated by the next one. Work that must not overlap calls `assertLease`.
    return await withRenewal(
      ms,
      () => renewLease(db, lease),
      ignore,
      () => work(lease),
    )
  } finally {
    // If this fails, the lease expires by itself.
    await releaseLease(db, lease).catch(ignore)
  }
}

/** Runs `work` and calls `renew` three times per `ms`, the duration of its lease. No renewal outlasts it. */
export async function withRenewal<R>(
  ms: number,
  renew: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
  work: () => Promise<R>,
): Promise<R> {
  const renewal = repeatEvery(ms / 3, renew, onFailure)
  try {
    return await work()
  } finally {
    await renewal.stop()
  }
}

/** @returns undefined when another process holds the lease */
export async function takeLease(db: QueryExecutorProvider, name: string, ms: number): Promise<Lease | undefined> {
  const lease = { name, holder: newId(), ms }
  const isTaken =
    (await changesRow(
      db,
      sql`update leases set holder = ${lease.holder}, expires_at = ${msFromNow(ms)}
        where name = ${name} and expires_at <= now(3)`,
    )) ||
    (await changesRow(
      db,
      sql`insert ignore into leases (name, holder, expires_at) values (${name}, ${lease.holder}, ${msFromNow(ms)})`,
    ))
  return isTaken ? lease : undefined
}

/** @returns false when another process has taken the lease */
export const renewLease = (db: QueryExecutorProvider, { name, holder, ms }: Lease): Promise<boolean> =>
  changesRow(db, sql`update leases set expires_at = ${msFromNow(ms)} where name = ${name} and holder = ${holder}`)

/** Renews the lease before the next part of the work, or throws LeaseLostError. */
export async function assertLease<T>(db: Kysely<T>, lease: Lease): Promise<void> {
  if (!(await renewLease(db, lease))) throw new LeaseLostError(`another process has taken over ${lease.name}`)
}

/** Also clears the holder, so that a renewal still under way changes nothing. */
export const releaseLease = <T>(db: Kysely<T>, { name, holder }: Lease): Promise<boolean> =>
  changesRow(db, sql`update leases set holder = '', expires_at = now(3) where name = ${name} and holder = ${holder}`)

/**
 * For work that fits in one transaction: locks the row of a lease, which must exist, until the transaction ends. The
 * server releases it when the connection breaks, so it needs neither holder nor expiry.
 * @returns false when another transaction has locked it
 */
export async function lockLease<T>(trx: Transaction<T>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from leases where name = ${name} for update skip locked`.execute(trx)
  return rows.length > 0
}

async function changesRow(db: QueryExecutorProvider, statement: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows = 0n } = await retryContention(() => statement.execute(db))
  return numAffectedRows > 0n
}

function ignore(): void {}
