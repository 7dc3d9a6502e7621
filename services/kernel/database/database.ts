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
import { isContention } from '../base/database-errors.ts'
import { hideStatements } from '../base/statement-failures.ts'
import { type Environment, readSettings } from '../process/config.ts'
import { isProduction } from '../process/mode.ts'
import { databaseConnection, explainFailure } from './connection.ts'
import { Dialect } from './dialect.ts'
import { traceStatements } from './query-tracing.ts'
import type { TenantTables } from './tenant-guard.ts'
import { tenantGuard } from './tenant-guard.ts'

export { isDuplicateKey, isServerRefusing, isUnavailable } from '../base/database-errors.ts'

/** Strict whatever the server's default: a value that doesn't fit is an error, never truncated. */
const sqlMode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'
const transactionTries = 5
const defaultPoolSize = 8
/** A third of the longest call. */
const defaultMaxWaitMs = 20_000

export interface DatabaseOptions {
  /** Tables with tenant data, which the guard watches. */
  tables?: TenantTables
  /** Refuse statements without their tenant. On outside production, unless TENANT_GUARD is off. */
  guard?: boolean
  /** Maximum of connections (8). */
  poolSize?: number
  /** How long a statement waits for a free connection, in ms (20 s). Then the database counts as unavailable. */
  maxWaitMs?: number
}

/** A transaction on any tables. */
export type AnyTransaction = QueryExecutorProvider & { readonly isTransaction: true }

type Hook = () => unknown
const hooksOf = new WeakMap<object, Hook[]>()
const databases = new WeakMap<object, object>()

/** The database of a transaction or of a handle without the tenant guard, as {@link openDatabase} returned it. */
export const databaseOf = (handle: object): object => databases.get(handle) ?? handle

/** MySQL dialect over a lazily opened pool: UTC, utf8mb4, exact big numbers, JSON columns and DATE as text. */
export function dialectConfig(
  url: string,
  { poolSize = defaultPoolSize, maxWaitMs = defaultMaxWaitMs }: Pick<DatabaseOptions, 'poolSize' | 'maxWaitMs'> = {},
): MysqlDialectConfig {
  // Read at once, so that a missing certificate ends the start, not the first statement.
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
        // Without it, a statement waits up to two hours for a server that was cut off.
        keepAliveInitialDelay: 10_000,
      })
      return {
        // Without a limit, calls that were given up would still write once the database answers again.
        getConnection: callback => {
          let isLate = false
          const timer = setTimeout(() => {
            isLate = true
            callback(waitError(maxWaitMs), undefined as never)
          }, maxWaitMs)
          pool.getConnection((error, connection) => {
            if (isLate) return connection?.release()
            clearTimeout(timer)
            callback(explainFailure(error, url), connection)
          })
        },
        end: callback => pool.end(callback),
      }
    },
    onCreateConnection: async connection => {
      traceStatements(connection)
      hideStatements(connection)
      const run = (text: string) => connection.executeQuery(CompiledQuery.raw(text))
      await run(
        `set session time_zone = '+00:00', sql_mode = '${sqlMode}', innodb_lock_wait_timeout = 5, group_concat_max_len = 16777216`,
      )
      await run('set session transaction isolation level read committed')
    },
  }
}

const waitError = (ms: number): NodeJS.ErrnoException =>
  Object.assign(new Error(`no free connection to the database within ${ms} ms`), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' })

const isGuarded = (env: Environment): boolean =>
  !isProduction(env) &&
  readSettings(env, '', { TENANT_GUARD: z.enum(['on', 'off']).default('on') }).TENANT_GUARD === 'on'

/** Opens a pool on a mysql:// URL. It connects at the first statement, so an absent server is no error here. */
export function openDatabase<T>(url: string, options: DatabaseOptions = {}): Kysely<T> {
  const hasGuard = options.guard ?? isGuarded(process.env)
  const guard = hasGuard && options.tables ? [tenantGuard(options.tables)] : []
  const schema = new URL(url).pathname.slice(1)
  const dialect = new Dialect(dialectConfig(url, options), { schema, size: options.poolSize ?? defaultPoolSize })
  return new Kysely<T>({ dialect, plugins: guard })
}

/** Waits for running statements and closes the pool. */
export async function closeDatabase<T>(db: Kysely<T>): Promise<void> {
  await db.destroy()
}

/** Throws unless the database answers. */
export async function pingDatabase<T>(db: Kysely<T>): Promise<void> {
  await sql`select 1`.execute(db)
}

/**
 * Runs `work` in a transaction, at most five times while it meets contention (deadlock, lock wait timeout, failed
 * certification). `work` must have no effect outside the transaction; use {@link afterCommit} for those. Inside a
 * transaction, it joins that one.
 */
export async function inTransaction<T, R>(db: Kysely<T>, work: (trx: Transaction<T>) => Promise<R>): Promise<R> {
  if (isTransaction(db)) return work(db)
  return retryContention(async () => {
    const hooks: Hook[] = []
    const result = await db.transaction().execute(trx => {
      hooksOf.set(trx, hooks)
      databases.set(trx, databaseOf(db))
      return work(trx)
    })
    for (const hook of hooks) runHook(hook)
    return result
  })
}

/** Runs `work` at most five times while it meets contention. */
export async function retryContention<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === transactionTries || !isContention(error)) throw error
    }
    await sleep(Math.random() * 10 * 2 ** attempt)
  }
}

/** Runs `hook` after the transaction has committed; not after a rollback. Its failure is only logged. */
export function afterCommit(trx: AnyTransaction, hook: () => unknown): void {
  const hooks = hooksOf.get(trx)
  if (!hooks) throw new Error('afterCommit needs a transaction that was opened by inTransaction')
  hooks.push(hook)
}

/**
 * The same database or transaction without the tenant guard, for the rare statement without a tenant. The reason
 * informs the reader of the code, and must not be empty.
 */
export function exempt<T>(db: Transaction<T>, reason: string): Transaction<T>
export function exempt<T>(db: Kysely<T>, reason: string): Kysely<T>
export function exempt<T>(db: Kysely<T>, reason: string): Kysely<T> {
  if (!reason.trim()) throw new Error('exempt needs a reason')
  const unguarded = db.withoutPlugins()
  const hooks = hooksOf.get(db)
  if (hooks) hooksOf.set(unguarded, hooks)
  databases.set(unguarded, databaseOf(db))
  return unguarded
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
