import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Db, Trx } from '../tables.ts'
import { roleSlugs } from './access.sql.ts'
import { defaultSystemRole } from './catalogue.ts'

/**
 * Whether a text has the form of a role's slug. Slug columns hold ASCII, and the database refuses to compare them with
 * other characters.
 */
const isSlug = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)

/** A live role of the workspace with the slugs of its permissions; undefined if it does not exist. */
export async function findRole(db: Db, tenant: Tenant, slug: string) {
  if (!isSlug(slug)) return undefined
  const role = await db
    .selectFrom('workspace_roles as r')
    .select(['r.id', 'r.slug', 'r.name', 'r.is_system', roleSlugs.as('permission_slugs')])
    .where('r.workspace_id', '=', tenant.workspaceId)
    .where('r.live_slug', '=', slug)
    .where('r.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!role) return undefined
  const { permission_slugs, ...fields } = role
  return { ...fields, permissionSlugs: JSON.parse(permission_slugs ?? '[]') as string[] }
}

/**
 * Locks roles that are being assigned, so that none is deleted or renamed before the transaction ends. ConflictError
 * when that happened since the check.
 */
export async function lockRoles(trx: Trx, { workspaceId }: Pick<Tenant, 'workspaceId'>, slugs: string[]) {
  const uniqueSlugs = [...new Set(slugs)]
  const rows = await trx
    .selectFrom('workspace_roles')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('live_slug', 'in', uniqueSlugs)
    .where('deleted_at', 'is', null)
    .orderBy('live_slug')
    .modifyEnd(sql`lock in share mode`)
    .execute()
  if (rows.length < uniqueSlugs.length) throw new ConflictError('The role has just been changed or deleted, try again')
}

/** Those of these slugs that are permissions of this level. */
export async function existingPermissionSlugs(
  db: Db,
  slugs: string[],
  level: 'workspace' | 'ecosystem',
): Promise<Set<string>> {
  const validSlugs = slugs.filter(isSlug)
  if (validSlugs.length === 0) return new Set()
  const rows = await exempt(db, 'permissions belong to the platform')
    .selectFrom('permissions')
    .select('slug')
    .where('slug', 'in', validSlugs)
    .where('level', '=', level)
    .execute()
  return new Set(rows.map(row => row.slug))
}

/** Slug of the workspace's default role. */
export async function findDefaultRoleSlug(db: Db, tenant: Tenant): Promise<string> {
  const role = await db
    .selectFrom('workspace_roles')
    .select('slug')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('is_default', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return role?.slug ?? defaultSystemRole
}
