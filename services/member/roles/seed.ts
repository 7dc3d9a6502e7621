import type { Kysely } from 'kysely'
import { newId } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import { defaultSystemRole, permissionCatalogue, systemRoles } from '../rights/catalogue.ts'
import type { MemberTables, Trx } from '../tables.ts'

/** Creates the system roles of a new workspace. */
export async function createSystemRoles(trx: Trx, workspaceId: string): Promise<void> {
  const roles = systemRoles.map(role => ({ ...role, id: newId() }))
  await trx
    .insertInto('workspace_roles')
    .values(
      roles.map(({ id, name, slug }) => ({
        id,
        name,
        slug,
        live_slug: slug,
        workspace_id: workspaceId,
        description: null,
        is_system: 1,
        is_default: slug === defaultSystemRole ? 1 : 0,
        deleted_at: null,
      })),
    )
    .execute()
  const permissions = await exempt(trx, 'permissions belong to the platform')
    .selectFrom('permissions')
    .select(['id', 'slug'])
    .execute()
  const idOf = new Map(permissions.map(one => [one.slug, one.id]))
  const grants = roles.flatMap(role =>
    role.permissions.map(slug => ({ role_id: role.id, permission_id: idOf.get(slug) ?? '', conditions: null })),
  )
  await trx.insertInto('role_permissions').values(grants).execute()
}

/** Inserts the built-in permissions at every start, safe for concurrent processes. */
export async function seedPermissions(db: Kysely<MemberTables>): Promise<void> {
  await db
    .insertInto('permissions')
    .ignore()
    .values(permissionCatalogue.map(one => ({ ...one, id: newId(), description: null })))
    .execute()
}
