import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely, MysqlAdapter, MysqlDialect, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration'
import { closeDatabase, dialectConfig } from './database.ts'

/** The tables of every service database: outbox, inbox and idempotency keys. */
export const kernelMigrations = new URL('./migrations/', import.meta.url)

const fileName = /^\d{4}-[a-z0-9-]+\.ts$/
const lockSeconds = 300
/** Lock names are server-wide and hold at most 64 characters, as do database names. */
const lockName = sql`concat('migrate:', left(sha2(database(), 256), 40))`

/** A migration could not be applied; the message names its file. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/**
 * Applies missing migrations of the kernel and of `folder` (0001-name.ts, each exporting `up`), forward only, in order
 * of their names. Safe to run from several processes at once, and on a database that a later version has migrated:
 * during a rolling update an older process may restart.
 * @returns names of the applied migrations
 */
export async function migrate(url: string, folder: URL, log?: (line: string) => void): Promise<string[]> {
  const migrations = { ...(await load(kernelMigrations, 'kernel-')), ...(await load(folder, '')) }
  const db = new Kysely<unknown>({ dialect: new PerDatabaseDialect(dialectConfig(url, { poolSize: 2 })) })
  try {
    // Kernel names sort between others, so Kysely must accept a later kernel migration that sorts before applied ones.
    const provider = { getMigrations: async () => ({ ...(await ofLaterVersions(db, migrations)), ...migrations }) }
    const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true })
    const { error, results = [] } = await migrator.migrateToLatest()
    const failed = results.find(({ status }) => status === 'Error')?.migrationName
    if (error !== undefined) throw failure(failed, folder, error)
    const applied = results.filter(({ status }) => status === 'Success').map(({ migrationName }) => migrationName)
    for (const name of applied) log?.(`migration ${name} applied`)
    return applied
  } finally {
    await closeDatabase(db)
  }
}

/** Applied migrations of a later version that this one doesn't know; nothing remains to do for them. */
async function ofLaterVersions(db: Kysely<unknown>, known: object): Promise<Record<string, Migration>> {
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  const later = rows.filter(({ name }) => !(name in known))
  return Object.fromEntries(later.map(({ name }) => [name, { up: async () => undefined }]))
}

/** The migration files of a folder, in order. Throws on any other file, which would never run. */
export async function migrationFiles(folder: URL): Promise<string[]> {
  const files = (await readdir(folder)).filter(name => !name.startsWith('.'))
  const wrong = files.find(name => !fileName.test(name))
  if (wrong !== undefined) {
    const path = fileURLToPath(new URL(encodeURIComponent(wrong), folder))
    throw new MigrationError(`migration ${path} needs a name like 0001-name.ts, in lower case`)
  }
  return files.toSorted()
}

async function load(folder: URL, prefix: string): Promise<Record<string, Migration>> {
  const found: Record<string, Migration> = {}
  for (const file of await migrationFiles(folder)) {
    const path = new URL(file, folder)
    const module: unknown = await import(path.href).catch((error: unknown) => {
      throw failure(file, folder, error)
    })
    if (!isMigration(module)) throw new MigrationError(`migration ${fileURLToPath(path)} exports no function named up`)
    found[prefix + basename(file, '.ts')] = { up: module.up }
  }
  return found
}

function isMigration(module: unknown): module is Migration {
  return typeof module === 'object' && module !== null && 'up' in module && typeof module.up === 'function'
}

function failure(name: string | undefined, folder: URL, cause: unknown): Error {
  if (name === undefined && cause instanceof Error) return cause
  const where = name?.startsWith('kernel-') ? 'the kernel' : fileURLToPath(folder)
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new MigrationError(`migration ${name ?? ''} of ${where} failed: ${reason}`, { cause })
}

/** Kysely's own lock has one name per server, so that services would wait for each other. */
class PerDatabaseAdapter extends MysqlAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql<{ got: number | null }>`
      select get_lock(${lockName}, ${lockSeconds}) as got
    `.execute(db)
    if (rows[0]?.got !== 1) throw new MigrationError('another process has been migrating this database for too long')
  }

  override async releaseMigrationLock(db: Kysely<unknown>): Promise<void> {
    await sql`select release_lock(${lockName})`.execute(db)
  }
}

class PerDatabaseDialect extends MysqlDialect {
  override createAdapter(): MysqlAdapter {
    return new PerDatabaseAdapter()
  }
}
