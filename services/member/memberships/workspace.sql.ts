import { sql } from 'kysely'
import { ConflictError, NotFoundError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Ecosystem, Tenant } from '../../kernel/access/tenant.ts'
import type { Db, Trx } from '../rows.ts'

export type NewWorkspace = {
  name: string
  description?: string | undefined
  ecosystemType?: string | undefined
  logoUrl?: string | undefined
  settings?: object | undefined
  isDefault?: boolean | undefined
}

type InEcosystem = Pick<Ecosystem, 'ecosystemId'>

/** Inserts a workspace and reads it back. */
export async function insertWorkspace(trx: Trx, { ecosystemId }: InEcosystem, workspace: NewWorkspace) {
  const id = newId()
  await trx
    .insertInto('workspaces')
    .values({
      id,
      name: workspace.name,
      description: workspace.description ?? null,
      ecosystem_id: ecosystemId,
      ecosystem_type: workspace.ecosystemType ?? 'hotel',
      logo_url: workspace.logoUrl ?? null,
      settings: workspace.settings ? JSON.stringify(workspace.settings) : null,
      is_default: workspace.isDefault ? 1 : 0,
      deleted_at: null,
    })
    .execute()
  return trx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
}

/** The hotel's own workspace: the first of its ecosystem, which came with it, whichever is the default by now. */
export const findHotelWorkspace = (db: Db, { ecosystemId }: InEcosystem) =>
  db
    .selectFrom('workspaces')
    .selectAll()
    .where('ecosystem_id', '=', ecosystemId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Notes that the platform was told of a workspace. */
export const markAnnounced = (trx: Trx, workspaceId: string) =>
  trx
    .updateTable('workspaces')
    .set({ announced_at: sql<Date>`current_timestamp(3)` })
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .execute()

/** Locks a workspace until the transaction ends: changes that must not cross are made one after the other. */
export async function lockWorkspace(trx: Trx, tenant: Pick<Tenant, 'workspaceId'>) {
  const row = await trx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new NotFoundError('Workspace not found')
  return row
}

/** The same for letting somebody in. ConflictError for a workspace at rest, and for one of a deleted hotel. */
export async function lockForNewcomers(trx: Trx, tenant: Pick<Tenant, 'workspaceId'>): Promise<void> {
  const { is_active, closed_at } = await lockWorkspace(trx, tenant)
  if (closed_at !== null) throw new ConflictError('The hotel of the workspace is deleted')
  if (is_active === 0) throw new ConflictError('The workspace is at rest and takes no new members')
}

/** The live workspace of a tenant. */
export const findWorkspace = (db: Db, tenant: Pick<Tenant, 'workspaceId'>) =>
  db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
