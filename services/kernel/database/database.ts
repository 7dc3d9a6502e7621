import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  Kysely,
  type MysqlDialectConfig,
  type QueryExecutorProvider,
  sql,
  type Transaction,
} from 'kysely'
import { createPool } from 'mysql2'
import { z } from 'zod'
import { type Environment, settings } from '../process/config.ts'
import { databaseConnection, withReason } from './connection.ts'
import { Dialect } from './dialect.ts'
import { isContention } from '../base/database-errors.ts'
import { hideStatements } from '../base/statement-failures.ts'
import { traceStatements } from './query-tracing.ts'
import { isProduction } from '../process/mode.ts'
import { tenantGuard } from './tenant-guard.ts'
import type { TenantTables } from './tenant-guard.ts'

export { isDuplicateKey, isUnavailable } from '../base/database-errors.ts'

/** Strict everywhere, whatever the server's own default: a value that does not fit is an error, never cut short. */
const SQL_MODE = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
const TRANSACTION_TRIES = 5

export interface DatabaseOptions {
  /** Tables that hold tenants' data; the guard watches them. */
  tables?: TenantTables
  /** Refuse statements that forget their tenant. On outside production, unless TENANT_GUARD is off. */
  guard?: boolean
  /** Connections at most, 8 unless told. */
  poolSize?: number
}

/** A transaction on whatever tables. */
export type AnyTransaction = QueryExecutorProvider & { readonly isTransaction: true }

type Hook = () => unknown
const hooksOf = new WeakMap<object, Hook[]>()

/** MySQL dialect over a lazily opened pool: UTC, utf8mb4, exact big numbers, JSON columns as text, DATE as text. */
export function dialectConfig(
  url: string,
  { poolSize = 8 }: Pick<DatabaseOptions, 'poolSize'> = {},
): MysqlDialectConfig {
  // Read at once: a certificate that is missing is a fault of the start, not of the first statement.
  const target = databaseConnection(url)
  return {
    pool: async () => {
      const pool = createPool({
        ...target,
        connectionLimit: poolSize,
        timezone: 'Z',
        charset: 'utf8mb4_unicode_ci',
        supportBigNumbers: true,
        jsonStrings: true,
        dateStrings: ['DATE'],
        connectTimeout: 5_000,
        enableKeepAlive: true,
      })
      return {
        getConnection: done => pool.getConnection((error, connection) => done(withReason(error, url), connection)),
        end: done => pool.end(done),
      }
    },
    onCreateConnection: async connection => {
      traceStatements(connection)
      hideStatements(connection)
      const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text))
      await run(`set session time_zone = '+00:00', sql_mode = '${SQL_MODE}', innodb_lock_wait_timeout = 5`)
      await run('set session transaction isolation level read committed')
    },
  }
}

const isGuarded = (env: Environment): boolean =>
  !isProduction(env) && settings(env, '', { TENANT_GUARD: z.enum(['on', 'off']).default('on') }).TENANT_GUARD === 'on'

/** Opens a pool on a mysql:// URL. Nothing is connected before the first statement, so an absent server is no error here. */
export function openDatabase<T>(url: string, options: DatabaseOptions = {}): Kysely<T> {
  const guarded = options.guard ?? isGuarded(process.env)
  const guard = guarded && options.tables ? [tenantGuard(options.tables)] : []
  const dialect = new Dialect(dialectConfig(url, options))
  return new Kysely<T>({ dialect, plugins: guard })
}

/** Waits for running statements and closes the pool. */
export async function closeDatabase<T>(db: Kysely<T>): Promise<void> {
  await db.destroy()
}

/** Asks the database for a sign of life; throws when there is none. */
export async function pingDatabase<T>(db: Kysely<T>): Promise<void> {
  await sql`select 1`.execute(db)
}

/**
 * Runs `work` in a transaction. A deadlock, a lock wait that timed out or a lost certification at commit runs it again,
 * at most five times in all, so `work` must have no effect outside the transaction; use {@link afterCommit} for those.
 * Called with a transaction it joins it.
 */
export async function inTransaction<T, R>(db: Kysely<T>, work: (trx: Transaction<T>) => Promise<R>): Promise<R> {
  if (isTransaction(db)) return work(db)
  return repeated(async () => {
    const hooks: Hook[] = []
    const result = await db.transaction().execute(trx => {
      hooksOf.set(trx, hooks)
      return work(trx)
    })
    for (const hook of hooks) runHook(hook)
    return result
  })
}

/** Does the work of a transaction, again while others are in its way, and at most five times in all. */
export async function repeated<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRANSACTION_TRIES || !isContention(error)) throw error
    }
    await sleep(Math.random() * 10 * 2 ** attempt)
  }
}

/** Runs `hook` once the transaction has been committed, and not at all when it is rolled back. Its failure is only warned about. */
export function afterCommit(trx: AnyTransaction, hook: () => unknown): void {
  const hooks = hooksOf.get(trx)
  if (!hooks) throw new Error('afterCommit needs a transaction that was opened by inTransaction')
  hooks.push(hook)
}

/**
 * The same database or transaction without the tenant guard, for the rare statement that has no tenant by nature.
 * The reason is for the reader of the code, and an empty one is refused.
 */
export function exempt<T>(db: Transaction<T>, reason: string): Transaction<T>
export function exempt<T>(db: Kysely<T>, reason: string): Kysely<T>
export function exempt<T>(db: Kysely<T>, reason: string): Kysely<T> {
  if (!reason.trim()) throw new Error('exempt needs a reason')
  const free = db.withoutPlugins()
  const hooks = hooksOf.get(db)
  if (hooks) hooksOf.set(free, hooks)
  return free
}

function isTransaction<T>(db: Kysely<T>): db is Transaction<T> {
  return db.isTransaction
}

function runHook(hook: Hook): void {
  const warn = (error: unknown) => process.emitWarning(`an after-commit step failed: ${String(error)}`)
  try {
    Promise.resolve(hook()).catch(warn)
  } catch (error) {
    warn(error)
  }
}
