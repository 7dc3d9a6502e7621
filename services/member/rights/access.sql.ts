import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import type { Db, Trx } from '../tables.ts'

/** Rights open a tenant, so they are read before one is known. */
const allTenants = (db: Db): Db => exempt(db, 'rights are computed before a tenant is open')

/** The member whose rights are read; one index serves either form. */
export type By = { userId: string } | { memberId: string }
const column = (by: By) => ('userId' in by ? ('m.user_id' as const) : ('m.id' as const))
const value = (by: By) => ('userId' in by ? by.userId : by.memberId)

/** Slugs of a role as a JSON list; null for none. */
const roleSlugs = sql<string | null>`(select json_arrayagg(p.slug) from role_permissions rp
  join permissions p on p.id = rp.permission_id where rp.role_id = r.id)`

/**
 * A live member who is not switched off platform-wide: one row per active membership in a live workspace whose hotel
 * has them active, with the slugs of its role; one row without a workspace if no membership is active. Unordered,
 * because this runs on every cache miss and sorting costs more than the lookup.
 */
export const memberWithMemberships = (db: Db, by: By) =>
  allTenants(db)
    .selectFrom('members as m')
    .leftJoin('workspace_members as wm', join =>
      join
        .onRef('wm.member_id', '=', 'm.id')
        .on('wm.status', '=', 'active')
        .on('wm.member_active', '=', 1)
        .on('wm.left_at', 'is', null),
    )
    .leftJoin('workspaces as w', join =>
      join.onRef('w.id', '=', 'wm.workspace_id').on('w.deleted_at', 'is', null).on('w.closed_at', 'is', null),
    )
    .leftJoin('workspace_roles as r', join =>
      join.onRef('r.workspace_id', '=', 'wm.workspace_id').onRef('r.live_slug', '=', 'wm.workspace_role'),
    )
    .leftJoin('member_settings as s', 's.member_id', 'm.id')
    .select(['m.id', 'm.user_id', 'm.email', 'm.first_name', 'm.last_name', 'm.is_super_admin', 'm.is_active'])
    .select('s.is_invisible')
    .select(['w.id as workspace_id', 'w.name', 'w.ecosystem_id', 'w.is_active as workspace_active'])
    .select(['wm.workspace_role', 'wm.is_admin', 'wm.permission_slugs', 'wm.joined_at', roleSlugs.as('role_slugs')])
    .where(column(by), '=', value(by))
    .where('m.is_active', '=', 1)
    .where('m.deleted_at', 'is', null)
    .execute()

/** Active memberships in live workspaces with the slugs of their roles, oldest first. */
export const activeMemberships = (db: Db, memberId: string) =>
  allTenants(db)
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .leftJoin('workspace_roles as r', join =>
      join.onRef('r.workspace_id', '=', 'wm.workspace_id').onRef('r.live_slug', '=', 'wm.workspace_role'),
    )
    .select(['wm.workspace_id', 'w.name', 'w.ecosystem_id', 'wm.workspace_role', 'wm.is_admin', 'wm.permission_slugs'])
    .select(roleSlugs.as('role_slugs'))
    .where('wm.member_id', '=', memberId)
    .where('wm.status', '=', 'active')
    .where('wm.member_active', '=', 1)
    .where('wm.left_at', 'is', null)
    .where('w.deleted_at', 'is', null)
    .where('w.is_active', '=', 1)
    .where('w.closed_at', 'is', null)
    .orderBy('wm.joined_at')
    .orderBy('wm.workspace_id')
    .execute()

/** Permissions of roles by slug. */
export const permissionsOfRoles = (db: Db, roleIds: string[]) =>
  db
    .selectFrom('role_permissions as rp')
    .innerJoin('permissions as p', 'p.id', 'rp.permission_id')
    .select(['rp.role_id', 'p.slug', 'p.name', 'p.category'])
    .where('rp.role_id', 'in', roleIds)
    .orderBy('p.slug')
    .execute()

/**
 * Hotel values of a member who has accepted, oldest first. `is_in`: they own or administer the hotel, or have a
 * workspace there in which they aren't suspended.
 */
export const rightsInHotels = (db: Db, by: By) =>
  allTenants(db)
    .selectFrom('ecosystem_memberships as e')
    .innerJoin('members as m', 'm.id', 'e.member_id')
    .select(['e.ecosystem_id', 'e.role', 'e.is_owner', 'e.permissions', 'e.is_active', 'e.status'])
    .select(({ or, eb, exists, selectFrom }) => [
      or([
        eb('e.role', '!=', 'member'),
        exists(
          selectFrom('workspace_members as wm')
            .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
            .select('w.id')
            .whereRef('wm.member_id', '=', 'e.member_id')
            .whereRef('w.ecosystem_id', '=', 'e.ecosystem_id')
            .where('wm.status', '=', 'active')
            .where('wm.left_at', 'is', null)
            .where('w.deleted_at', 'is', null),
        ),
      ]).as('is_in'),
      exists(
        selectFrom('workspaces as w')
          .select('w.id')
          .whereRef('w.ecosystem_id', '=', 'e.ecosystem_id')
          .where('w.deleted_at', 'is', null)
          .where('w.closed_at', 'is not', null),
      ).as('is_closed'),
    ])
    .where(column(by), '=', value(by))
    .where('e.status', '=', 'active')
    .orderBy('e.created_at')
    .orderBy('e.ecosystem_id')
    .execute()

export const findWorkspaceTenant = (db: Db, workspaceId: string) =>
  db
    .selectFrom('workspaces')
    .select(['id', 'name', 'ecosystem_id'])
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/**
 * The live workspaces of an ecosystem. An ecosystem without one is unknown, since each starts with its hotel's
 * workspace.
 */
export const workspacesOfEcosystem = (db: Db, ecosystemId: string) =>
  allTenants(db)
    .selectFrom('workspaces')
    .select('closed_at')
    .where('ecosystem_id', '=', ecosystemId)
    .where('deleted_at', 'is', null)
    .execute()

/** Updates when a member was last seen. */
export const recordActivity = (db: Db, memberId: string) =>
  db
    .insertInto('member_activity')
    .values({ member_id: memberId, seen_at: sql<Date>`current_timestamp(3)` })
    .onDuplicateKeyUpdate({ seen_at: sql<Date>`current_timestamp(3)` })
    .execute()

/** Ids of the current members of a workspace, at most `limit`. */
export async function membersOf(trx: Trx, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('workspace_members')
    .select('member_id')
    .where('workspace_id', '=', workspaceId)
    .where('left_at', 'is', null)
    .limit(limit)
    .execute()
  return rows.map(row => row.member_id)
}
