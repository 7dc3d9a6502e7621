import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Db, Trx } from '../tables.ts'
import { currentMembers } from '../workspace-memberships/sql.ts'

export type RoleRow = Awaited<ReturnType<typeof lockRole>>

/** Workspace of a live role. */
export const locateRole = (db: Db, id: string) =>
  exempt(db, 'locates the tenant of a record')
    .selectFrom('workspace_roles')
    .select('workspace_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** A live role of the workspace. */
export const liveRole = (db: Db, tenant: Tenant, id: string) =>
  db
    .selectFrom('workspace_roles')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)

export const lockRole = (trx: Trx, tenant: Tenant, id: string) =>
  liveRole(trx, tenant, id).forUpdate().executeTakeFirstOrThrow()

/** Inserts a custom role. Fails with a duplicate key on workspace_roles_slug for a taken slug. */
export async function insertRole(
  trx: Trx,
  tenant: Tenant,
  role: { id: string; name: string; slug: string; description: string | null },
): Promise<void> {
  await trx
    .insertInto('workspace_roles')
    .values({ ...role, live_slug: role.slug, workspace_id: tenant.workspaceId, deleted_at: null })
    .execute()
}

/** The slugs of live roles that begin with a text. */
export async function slugsBeginning(db: Db, tenant: Tenant, prefix: string): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_roles')
    .select('slug')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .where('live_slug', 'like', `${prefix}%`)
    .execute()
  return rows.map(({ slug }) => slug)
}

export const updateRole = (
  trx: Trx,
  tenant: Tenant,
  id: string,
  set: Partial<{ name: string; slug: string; live_slug: string | null; description: string | null; deleted_at: Date }>,
) =>
  trx
    .updateTable('workspace_roles')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()

/** Notes that a role changed: its permissions are rows of their own. */
export const dateRole = (trx: Trx, tenant: Tenant, id: string) =>
  trx
    .updateTable('workspace_roles')
    .set({ updated_at: sql<Date>`current_timestamp(3)` })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()

/** Makes a role the default of the workspace in place of the present one. */
export const setDefaultRole = (trx: Trx, tenant: Tenant, slug: string) =>
  trx
    .updateTable('workspace_roles')
    .set({ is_default: sql<number>`if(slug = ${slug}, 1, 0)` })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .execute()

/** Grants slugs to a role; existing ones stay. */
export const grantSlugs = (trx: Trx, roleId: string, slugs: string[]) =>
  trx
    .insertInto('role_permissions')
    .ignore()
    .columns(['role_id', 'permission_id'])
    .expression(eb =>
      eb
        .selectFrom('permissions as p')
        .select([sql<string>`${roleId}`.as('role_id'), 'p.id'])
        .where('p.slug', 'in', slugs),
    )
    .execute()

/** Revokes slugs of a role; without any, all of them. */
export function revokeSlugs(trx: Trx, roleId: string, slugs?: string[]) {
  const query = trx.deleteFrom('role_permissions').where('role_id', '=', roleId)
  if (!slugs) return query.execute()
  return query
    .where('permission_id', 'in', eb => eb.selectFrom('permissions').select('id').where('slug', 'in', slugs))
    .execute()
}

/** Number of live memberships by role slug. */
export async function holdersByRole(db: Db, tenant: Tenant): Promise<Map<string, number>> {
  const rows = await currentMembers(db, tenant)
    .select(eb => ['wm.workspace_role', eb.fn.countAll<number>().as('n')])
    .groupBy('wm.workspace_role')
    .execute()
  return new Map(rows.map(row => [row.workspace_role, Number(row.n)]))
}

/** Ids of up to `limit` members who have a role. */
export async function holdersOf(db: Db, tenant: Tenant, slug: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_members')
    .select('member_id')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('workspace_role', '=', slug)
    .where('left_at', 'is', null)
    .limit(limit)
    .execute()
  return rows.map(row => row.member_id)
}

/** Whether an open invitation grants a role. */
export async function isInvitedTo(db: Db, tenant: Tenant, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('onboardings')
    .select('id')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('workspace_role', '=', slug)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`current_timestamp(3)`)
    .executeTakeFirst()
  return row !== undefined
}

/** Moves memberships and open invitations to a role's new slug. */
export async function moveHolders(trx: Trx, tenant: Tenant, from: string, to: string): Promise<void> {
  await trx
    .updateTable('workspace_members')
    .set({ workspace_role: to })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('workspace_role', '=', from)
    .execute()
  await trx
    .updateTable('onboardings')
    .set({ workspace_role: to })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('workspace_role', '=', from)
    .where('status', '=', 'pending')
    .execute()
}

/** Roles of a workspace: system roles in order of creation, then the others by name. */
export const rolesOf = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('workspace_roles')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .orderBy('is_system', 'desc')
    .orderBy('name')
    .orderBy('id')
