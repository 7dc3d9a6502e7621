import type { JsonObject } from '@bufbuild/protobuf'
import { sql } from 'kysely'
import type { Ecosystem, Tenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import { countRows } from '../../kernel/database/rows.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import { notOfDeletedHotel } from '../hotel-memberships/closing.sql.ts'
import type { Db, Trx } from '../tables.ts'
import { leaveHotelWithWorkspace } from '../workspace-memberships/leave.sql.ts'
import { settingsText } from './settings.ts'

type Filter = { isActive?: boolean | undefined; pattern?: string | undefined }

/** Workspaces by name. */
export function listWorkspaces(db: Db, ecosystemIds: string[] | undefined, filter: Filter, { limit, offset }: Paging) {
  const query = matchingWorkspaces(db, ecosystemIds, filter).selectAll().orderBy('name').orderBy('id')
  return query.limit(limit).offset(offset).execute()
}

export const countWorkspaces = (db: Db, ecosystemIds: string[] | undefined, filter: Filter): Promise<number> =>
  countRows(matchingWorkspaces(db, ecosystemIds, filter))

/**
 * Live workspaces of these ecosystems, without those of deleted hotels; undefined means all, for the platform. One of a
 * suspended hotel isn't active.
 */
function matchingWorkspaces(db: Db, ecosystemIds: string[] | undefined, { isActive, pattern }: Filter) {
  const from = ecosystemIds ? db : exempt(db, 'a platform administrator sees all workspaces')
  let query = from.selectFrom('workspaces').where('deleted_at', 'is', null).where(notOfDeletedHotel)
  if (ecosystemIds) query = query.where('ecosystem_id', 'in', ecosystemIds)
  if (isActive !== undefined)
    query = query.where(sql<number>`(is_active = 1 and closed_at is null)`, '=', isActive ? 1 : 0)
  return pattern ? query.where('name', 'like', pattern) : query
}

/** Locks the workspaces of an ecosystem, so that two new ones can't both become the default. */
export const lockEcosystem = (trx: Trx, ecosystemId: string) =>
  trx
    .selectFrom('workspaces')
    .select(['id', 'closed_at'])
    .where('ecosystem_id', '=', ecosystemId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .execute()

/** Clears the default workspace of an ecosystem. */
export const clearDefault = (trx: Trx, ecosystemId: string) =>
  trx
    .updateTable('workspaces')
    .set({ is_default: 0 })
    .where('ecosystem_id', '=', ecosystemId)
    .where('is_default', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()

export const updateWorkspace = (
  trx: Trx,
  tenant: Tenant,
  set: Partial<{
    name: string
    description: string | null
    logo_url: string | null
    settings: string | null
    is_active: number
  }>,
) =>
  trx.updateTable('workspaces').set(set).where('id', '=', tenant.workspaceId).where('deleted_at', 'is', null).execute()

type InEcosystem = Pick<Ecosystem, 'ecosystemId'>

export type NewWorkspace = {
  name: string
  description?: string | undefined
  ecosystemType?: string | undefined
  logoUrl?: string | undefined
  settings?: JsonObject | undefined
  isDefault?: boolean | undefined
}

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
      settings: settingsText(workspace.settings),
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

/** Notes that the creation of a workspace was published. */
export const markAnnounced = (trx: Trx, workspaceId: string) =>
  trx
    .updateTable('workspaces')
    .set({ announced_at: sql<Date>`current_timestamp(3)` })
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .execute()

/** Soft-deletes a workspace: ends memberships, and deletes its teams and departments. */
export async function deleteWorkspace(trx: Trx, tenant: Tenant): Promise<void> {
  const { workspaceId } = tenant
  const now = sql<Date>`current_timestamp(3)`
  await leaveHotelWithWorkspace(trx, tenant)
  await trx
    .updateTable('workspace_members')
    .set({ left_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('left_at', 'is', null)
    .execute()
  for (const table of ['teams', 'departments'] as const)
    await trx
      .updateTable(table)
      .set({ deleted_at: now })
      .where('workspace_id', '=', workspaceId)
      .where('deleted_at', 'is', null)
      .execute()
  await trx
    .updateTable('workspaces')
    .set({ deleted_at: now, is_active: 0, members_count: 0 })
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
}
