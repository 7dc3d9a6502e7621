import { type Kysely, sql } from 'kysely'
import { ConfigError } from '../process/config.ts'
import { createSchemaOwner } from './migrations/0001-baseline.ts'
import { hasColumn } from './schema.ts'

/** Begins the names of the migrations that all services have. */
export const kernelPrefix = 'kernel-'

/** The service that a schema belongs to; undefined for one without a service's tables. */
export async function readOwner(db: Kysely<unknown>): Promise<string | undefined> {
  if (!(await hasColumn(db, 'schema_owner', 'service'))) return undefined
  const { rows } = await sql<{ service: string }>`select service from schema_owner`.execute(db)
  return rows[0]?.service
}

/** Refuses a schema of another service with one line [D512]. */
export async function assertOwner(db: Kysely<unknown>, service: string): Promise<void> {
  const owner = await readOwner(db)
  if (owner === undefined || owner === service) return
  const { rows } = await sql<{ name: string }>`select database() as name`.execute(db)
  throw new ConfigError(
    `${service.toUpperCase()}_DATABASE_URL: the schema ${rows[0]?.name} belongs to the service ${owner}; give ${service} its own`,
  )
}

/** Stores the owner. The caller holds the lease of migrations, and has asked {@link assertOwner} under it. */
export async function storeOwner(db: Kysely<unknown>, service: string): Promise<void> {
  await createSchemaOwner(db)
  await sql`insert ignore into schema_owner (service) values (${service})`.execute(db)
}
