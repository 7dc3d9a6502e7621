import type { Ecosystem, Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, NotFoundError } from '../../kernel/base/errors.ts'
import type { Db, Trx } from '../tables.ts'

type InEcosystem = Pick<Ecosystem, 'ecosystemId'>

/** The hotel's own workspace: the oldest of its ecosystem, created with the hotel, even if another is the default. */
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

/** Locks a workspace until the transaction ends, which serialises changes to it. */
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

/** Locks a workspace for a new member. ConflictError for an inactive workspace, and for one of a closed hotel. */
export const lockForJoining = async (trx: Trx, tenant: Pick<Tenant, 'workspaceId'>) =>
  requireOpen(await lockWorkspace(trx, tenant))

/** Refuses a change in a workspace of a closed hotel. ConflictError. */
export function requireOpenHotel(workspace: { closed_at: Date | null }): void {
  if (workspace.closed_at !== null) throw new ConflictError('The hotel of the workspace is closed')
}

/** The locked workspace, if it accepts new members. ConflictError. */
export function requireOpen<Row extends { closed_at: Date | null; is_active: number | null }>(workspace: Row): Row {
  requireOpenHotel(workspace)
  if (workspace.is_active === 0) throw new ConflictError('The workspace is inactive and accepts no new members')
  return workspace
}

export const findWorkspace = (db: Db, tenant: Pick<Tenant, 'workspaceId'>) =>
  db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
