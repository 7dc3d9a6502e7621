import type { Kysely } from 'kysely'
import { exempt } from '../kernel/database.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** Rights are what opens a tenant, so they are read before there is one. */
const free = (db: Db): Db => exempt(db, 'rights are computed before a tenant is open')

/** A live, active member by user id or member id. */
export const findActiveMember = (db: Db, by: { userId: string } | { memberId: string }) =>
  db
    .selectFrom('members')
    .select(['id', 'user_id', 'email', 'first_name', 'last_name', 'is_super_admin'])
    .where('userId' in by ? 'user_id' : 'id', '=', 'userId' in by ? by.userId : by.memberId)
    .where('is_active', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Active memberships in live workspaces, oldest first. */
export const activeMemberships = (db: Db, memberId: string) =>
  free(db)
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .leftJoin('workspace_roles as r', join =>
      join.onRef('r.workspace_id', '=', 'wm.workspace_id').onRef('r.live_slug', '=', 'wm.workspace_role'),
    )
    .select([
      'wm.workspace_id',
      'w.name',
      'w.ecosystem_id',
      'wm.workspace_role',
      'wm.is_admin',
      'wm.permission_slugs',
      'r.id as role_id',
    ])
    .where('wm.member_id', '=', memberId)
    .where('wm.status', '=', 'active')
    .where('wm.left_at', 'is', null)
    .where('w.deleted_at', 'is', null)
    .where('w.is_active', '=', 1)
    .orderBy('wm.joined_at')
    .orderBy('wm.workspace_id')
    .execute()

/** Slugs that roles grant. */
export const slugsOfRoles = (db: Db, roleIds: string[]) =>
  db
    .selectFrom('role_permissions as rp')
    .innerJoin('permissions as p', 'p.id', 'rp.permission_id')
    .select(['rp.role_id', 'p.slug'])
    .where('rp.role_id', 'in', roleIds)
    .execute()

/** Ecosystem memberships, oldest first. */
export const ecosystemMemberships = (db: Db, memberId: string) =>
  db
    .selectFrom('ecosystem_memberships')
    .select(['ecosystem_id', 'role', 'is_owner', 'permissions'])
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .orderBy('ecosystem_id')
    .execute()

/** A live workspace's name and ecosystem. */
export const findWorkspaceTenant = (db: Db, workspaceId: string) =>
  db
    .selectFrom('workspaces')
    .select(['id', 'name', 'ecosystem_id'])
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
