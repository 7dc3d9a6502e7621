import type { Ecosystem, Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, NotFoundError } from '../../kernel/base/errors.ts'
import type { Db, Trx } from '../rows.ts'

type InEcosystem = Pick<Ecosystem, 'ecosystemId'>

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
