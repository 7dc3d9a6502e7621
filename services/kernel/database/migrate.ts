import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Kysely, MysqlAdapter, MysqlDialect, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { errorNumber, isUnavailable } from '../base/database-errors.ts'
import type { ServiceName } from '../base/service-names.ts'
import { ConfigError } from '../process/config.ts'
import type { Log } from '../process/log.ts'
import { platformVersion } from '../process/version.ts'
import { closeDatabase, type DatabaseOptions, dialectConfig, openDatabase } from './database.ts'
import { assertLease, type Lease, withLease } from './lease.ts'
import { createLeases } from './migrations/0001-baseline.ts'
import { hasColumn } from './schema.ts'
import { assertOwner, kernelPrefix, readOwner, storeOwner } from './schema-owner.ts'

/** The tables of every service database: outbox, inbox, idempotency keys, cleanings and leases. */
export const kernelMigrations = new URL('./migrations/', import.meta.url)

const fileName = /^\d{4}-[a-z0-9-]+\.ts$/
/** How long a process waits while another one migrates, in ms. */
const patienceMs = 300_000
const pollMs = 200

type Migrations = Record<string, Migration>

/** A migration could not be applied; the message names its file. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

type MigrateOptions = {
  /** The service that the schema belongs to. Throws a ConfigError for another service's schema. */
  owner?: string
  log?: ((line: string) => void) | undefined
}

/**
 * Applies missing migrations of the kernel and of `folder` (0001-name.ts, each exporting `up`), forward only, in order
 * of their names. Safe to run from several processes at once, and on a database that a later version has migrated
 * without taking away what this one reads ({@link laterMigration}): during a rolling update an older process may
 * restart. A process killed while it migrates is replaced when its lease has expired, so a migration must be repeatable.
 * @returns names of the applied migrations
 */
export async function migrate(url: string, folder: URL, { owner, log }: MigrateOptions = {}): Promise<string[]> {
  const migrations = { ...(await load(kernelMigrations, kernelPrefix)), ...(await load(folder, '')) }
  const db = new Kysely<unknown>({ dialect: new LeasedDialect(dialectConfig(url, { poolSize: 2 })) })
  try {
    const assertOwn = async (): Promise<void> => {
      if (owner !== undefined) await assertOwner(db, owner)
    }
    await assertOwn()
    const before = await appliedMigrations(db)
    const problem = laterMigration(new URL(url).pathname.slice(1), before)
    if (problem !== undefined) throw new ConfigError(problem)
    if (owner !== undefined && before.length > 0 && !before.some(name => name in migrations))
      throw new ConfigError(
        `${owner.toUpperCase()}_DATABASE_URL: the schema ${new URL(url).pathname.slice(1)} was created before the first release and can't be migrated; give ${owner} an empty one, or delete the data folder (.data) of npm start`,
      )
    const isOwned = owner === undefined || (await readOwner(db)) === owner
    if (isOwned && Object.keys(migrations).every(name => before.includes(name))) return []
    await createLeases(db)
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(pollMs)) {
      const applied = await withLease(db, 'migrations', async lease => {
        // Two services may begin on one empty schema.
        await assertOwn()
        if (owner !== undefined) await storeOwner(db, owner)
        return applyAll(db, lease, migrations, folder)
      })
      for (const name of applied ?? []) log?.(`migration ${name} applied`)
      if (applied) return applied
    }
    throw new MigrationError('another process has been migrating this database for too long')
  } catch (error) {
    if (owner === undefined || !isUnusable(error)) throw error
    throw new ConfigError(`${unusable(url, owner)}: ${(error as Error).message}`, { cause: error })
  } finally {
    await closeDatabase(db)
  }
}

/** Whether the server is away, or has no such schema. */
const isUnusable = (error: unknown): boolean => isUnavailable(error) || errorNumber(error) === 1049

function unusable(url: string, owner: string): string {
  const { username, host, pathname } = new URL(url)
  return `${owner.toUpperCase()}_DATABASE_URL: ${username}@${host}${pathname} can't be used`
}

async function applyAll(db: Kysely<unknown>, lease: Lease, migrations: Migrations, folder: URL): Promise<string[]> {
  const allMigrations: Migrations = {}
  // Kysely refuses applied migrations that it doesn't know: those of a later version.
  for (const name of await appliedMigrations(db)) allMigrations[name] = { up: async () => undefined }
  for (const [name, { up }] of Object.entries(migrations))
    allMigrations[name] = {
      async up(conn) {
        await assertLease(conn, lease)
        await up(conn)
      },
    }
  // Kernel names sort between others, so Kysely must accept a later kernel migration that sorts before applied ones.
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => allMigrations },
    allowUnorderedMigrations: true,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  const failedName = results.find(({ status }) => status === 'Error')?.migrationName
  if (error !== undefined) throw failure(failedName, folder, error)
  return results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
}

async function appliedMigrations(db: Kysely<unknown>): Promise<string[]> {
  if (!(await hasColumn(db, DEFAULT_MIGRATION_TABLE, 'name'))) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  return rows.map(({ name }) => name)
}

const sinceForm = /-since-(\d+)-(\d+)(-|$)/

/**
 * Why this version can't work on a schema; undefined if it can. The name of a migration that removes something holds the
 * first version that doesn't read it, as 0012-since-1-1-no-colors.ts [D548].
 */
export function laterMigration(schema: string, applied: string[]): string | undefined {
  const [ownMajor = 0, ownMinor = 0] = platformVersion.split('.').map(Number)
  for (const name of applied) {
    const [, major = '0', minor = '0'] = sinceForm.exec(name) ?? []
    if (Number(major) > ownMajor || (Number(major) === ownMajor && Number(minor) > ownMinor))
      return `the schema ${schema} was migrated by a later version (${name}), and this is ${platformVersion}: start ${major}.${minor} or later, or restore a backup of before the upgrade`
  }
  return undefined
}

/** Applies the migrations of a service and opens its database. */
export async function openMigrated<Tables>(
  service: ServiceName,
  url: string,
  log: Log,
  options: DatabaseOptions = {},
): Promise<Kysely<Tables>> {
  const folder = new URL(`../../${service}/migrations/`, import.meta.url)
  await migrate(url, folder, { owner: service, log: line => log.info(line) })
  return openDatabase<Tables>(url, options)
}

/** The migration files of a folder, in order. Throws on any other file, which would never run. */
export async function migrationFiles(folder: URL): Promise<string[]> {
  const files = (await readdir(folder)).filter(name => !name.startsWith('.'))
  const misnamedFile = files.find(name => !fileName.test(name))
  if (misnamedFile !== undefined) {
    const path = fileURLToPath(new URL(encodeURIComponent(misnamedFile), folder))
    throw new MigrationError(`migration ${path} needs a name like 0001-name.ts, in lower case`)
  }
  return files.toSorted()
}

async function load(folder: URL, prefix: string): Promise<Migrations> {
  const migrations: Migrations = {}
  for (const file of await migrationFiles(folder)) {
    const path = new URL(file, folder)
    const module: unknown = await import(path.href).catch((error: unknown) => {
      throw failure(file, folder, error)
    })
    if (!isMigration(module)) throw new MigrationError(`migration ${fileURLToPath(path)} exports no function named up`)
    migrations[prefix + basename(file, '.ts')] = { up: module.up }
  }
  return migrations
}

function isMigration(module: unknown): module is Migration {
  return typeof module === 'object' && module !== null && 'up' in module && typeof module.up === 'function'
}

function failure(name: string | undefined, folder: URL, cause: unknown): Error {
  if (name === undefined && cause instanceof Error) return cause
  const source = name?.startsWith(kernelPrefix) ? 'the kernel' : fileURLToPath(folder)
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new MigrationError(`migration ${name ?? ''} of ${source} failed: ${reason}`, { cause })
}

/** The lease replaces Kysely's lock, which one server keeps (GET_LOCK) under one name for all services. */
class LeasedAdapter extends MysqlAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class LeasedDialect extends MysqlDialect {
  override createAdapter(): MysqlAdapter {
    return new LeasedAdapter()
  }
}
