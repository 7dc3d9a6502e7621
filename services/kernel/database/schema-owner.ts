import { type Kysely, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import { ConfigError } from '../process/config.ts'
import { up as createSchemaOwner } from './migrations/0007-schema-owner.ts'
import { hasColumn } from './schema.ts'

/** Begins the names of the migrations that all services have. */
export const kernelPrefix = 'kernel-'

/** The service that a schema belongs to; undefined for one without a service's tables. */
export async function readOwner(db: Kysely<unknown>): Promise<string | undefined> {
  if (!(await hasColumn(db, 'schema_owner', 'service'))) return undefined
  const { rows } = await sql<{ service: string }>`select service from schema_owner`.execute(db)
  return rows[0]?.service
}

/**
 * Refuses a schema of another service with one line [D512]. A schema that was migrated before owners were stored belongs
 * to the service of its first migration.
 * @param migrations the names of the service's own migrations
 */
export async function assertOwner(db: Kysely<unknown>, service: string, migrations: string[]): Promise<void> {
  const owner = await readOwner(db)
  if (owner === service) return
  const first = owner === undefined ? await firstMigration(db) : undefined
  if (owner === undefined && (first === undefined || migrations.includes(first))) return
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  const theirs = owner === undefined ? `another service, whose first migration is ${first}` : `the service ${owner}`
  throw new ConfigError(
    `${service.toUpperCase()}_DATABASE_URL: the schema ${rows[0]?.name} belongs to ${theirs}; give ${service} its own`,
  )
}

/** Stores the owner. The caller holds the lease of migrations, and has asked {@link assertOwner} under it. */
export async function storeOwner(db: Kysely<unknown>, service: string): Promise<void> {
  await createSchemaOwner(db)
  await sql`insert ignore into schema_owner (service) values (${service})`.execute(db)
}

async function firstMigration(db: Kysely<unknown>): Promise<string | undefined> {
  if (!(await hasColumn(db, DEFAULT_MIGRATION_TABLE, 'name'))) return undefined
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}
    where name not like ${`${kernelPrefix}%`} order by timestamp, name limit 1`.execute(db)
  return rows[0]?.name
}
