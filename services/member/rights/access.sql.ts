import { sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import { notOfDeletedHotel } from '../hotel-memberships/closing.sql.ts'
import type { Db, Trx } from '../tables.ts'

/** Rights open a tenant, so they are read before one is known. */
const allTenants = (db: Db): Db => exempt(db, 'rights are computed before a tenant is open')

/** The member whose rights are read; one index serves either form. */
export type By = { userId: string } | { memberId: string }
const column = (by: By) => ('userId' in by ? ('m.user_id' as const) : ('m.id' as const))
const value = (by: By) => ('userId' in by ? by.userId : by.memberId)

/** Slugs of a role, `r`, as a JSON list; null for none. */
export const roleSlugs = sql<string | null>`(select json_arrayagg(p.slug) from role_permissions rp
  join permissions p on p.id = rp.permission_id where rp.role_id = r.id)`

/** A hotel that a member has accepted. MariaDB and MySQL differ in how JSON shows truth: as 1 or as true. */
export type HotelRights = {
  ecosystem_id: string
  role: string
  is_owner: number
  permissions: string[]
  is_active: number
  status: string
  /** Whether they own or administer the hotel, or have a workspace there in which they aren't suspended. */
  is_in: number | boolean
  is_closed: number | boolean
  created_at: string
}

/** The hotels that a member has accepted, as a JSON list; null for none. */
const acceptedHotels = sql<string | null>`(select json_arrayagg(json_object(
    'ecosystem_id', e.ecosystem_id, 'role', e.role, 'is_owner', e.is_owner, 'permissions', e.permissions,
    'is_active', e.is_active, 'status', e.status, 'created_at', e.created_at,
    'is_in', e.role <> 'member' or exists (
      select 1 from workspace_members hm join workspaces hw on hw.id = hm.workspace_id
      where hm.member_id = e.member_id and hw.ecosystem_id = e.ecosystem_id
        and hm.status = 'active' and hm.left_at is null and hw.deleted_at is null),
    'is_closed', exists (
      select 1 from workspaces cw
      where cw.ecosystem_id = e.ecosystem_id and cw.deleted_at is null and cw.closed_at is not null)))
  from ecosystem_memberships e where e.member_id = m.id and e.status = 'active')`

/**
 * A live member who is not switched off platform-wide: one row per active membership in a live workspace whose hotel
 * has them active, with the slugs of its role; one row without a workspace if no membership is active. Unordered,
 * because it runs on every cache miss and sorting costs more than the lookup.
 */
const withMemberships = (db: Db, by: By) =>
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

export const memberWithMemberships = (db: Db, by: By) => withMemberships(db, by).execute()

/** The same with the member's hotels, in one of the rows. */
export const memberWithRights = (db: Db, by: By) =>
  withMemberships(db, by)
    .select(sql<string | null>`if(row_number() over () = 1, ${acceptedHotels}, null)`.as('hotels'))
    .execute()

/** The open workspaces of an ecosystem, as memberships of an administrator who holds every permission there. */
export const administeredWorkspaces = (db: Db, ecosystemId: string) =>
  allTenants(db)
    .selectFrom('workspaces as w')
    .select(['w.id as workspace_id', 'w.name', 'w.ecosystem_id', 'w.is_active as workspace_active'])
    .select([sql<string>`'admin'`.as('workspace_role'), sql<number>`1`.as('is_admin'), 'w.created_at as joined_at'])
    .select(sql<null>`null`.as('role_slugs'))
    .select(
      sql<string | null>`(select json_arrayagg(p.slug) from permissions p where p.level = 'workspace')`.as(
        'permission_slugs',
      ),
    )
    .where('w.ecosystem_id', '=', ecosystemId)
    .where('w.deleted_at', 'is', null)
    .where('w.closed_at', 'is', null)
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

/** A workspace as the platform opens it: also that of a suspended hotel. */
export const findWorkspaceTenant = (db: Db, workspaceId: string) =>
  db
    .selectFrom('workspaces')
    .select(['id', 'name', 'ecosystem_id'])
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where(notOfDeletedHotel)
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
