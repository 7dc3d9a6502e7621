import type { Selectable } from 'kysely'
import { PermissionService } from '../../../gen/platform/member/v1/permissions_pb.ts'
import { eventActorOf, personOf, tenantOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { audit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { findById } from '../people/sql.ts'
import { permissionsIn } from '../rights/rules.ts'
import type { Db, PermissionsTable } from '../tables.ts'
import { loadMembership } from '../workspace-memberships/message.ts'
import { findWorkspace } from '../workspace-memberships/workspace.sql.ts'

const maxWordLength = 40

/** Permissions (`/permissions`), and those of a member. */
export const permissionService = ({ db }: Context): Rpc =>
  implement(PermissionService, {
    async listPermissions() {
      const rows = await allPermissions(db)
      const categories = [...Map.groupBy(rows, row => row.category)].map(
        ([name, permissions]) => [name, permissions.map(({ slug }) => slug)] as const,
      )
      return { data: rows.map(toPermission), categories: Object.fromEntries(categories) }
    },

    async createPermission({ slug, name, description, category, resource, action, level }, context) {
      // The released contract allows more than the database holds.
      for (const [field, text] of Object.entries({ category, resource }))
        if (text.length > maxWordLength)
          throw invalid(field, `must have at most ${maxWordLength} characters`, 'string.max_len')
      const fields = { slug, name, description: description ?? null, category, resource, action }
      const row = await inTransaction(db, async trx => {
        const id = newId()
        const values = { ...fields, id, level: level === 'ecosystem' ? ('ecosystem' as const) : ('workspace' as const) }
        await trx.insertInto('permissions').values(values).execute()
        const insertedPermission = await trx
          .selectFrom('permissions')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        await audit(trx, undefined, {
          actor: eventActorOf(context),
          action: 'permission.created',
          entityId: insertedPermission.id,
          after: { ...fields, level: insertedPermission.level },
        })
        return insertedPermission
      }).catch((error: unknown) => {
        throw isDuplicateKey(error, 'permissions_slug') ? new ConflictError('The slug is already in use') : error
      })
      return { permission: toPermission(row) }
    },

    async getMemberPermissions({ memberId }, context) {
      const rights = await rightsOf(db, tenantOf(context), memberId)
      if (!rights) throw new NotFoundError('Member not found')
      return rights
    },

    async getMyPermissions({ workspaceId }, context) {
      const { memberId } = personOf(context)
      const tenant = tenantOf(context)
      const rights = await rightsOf(db, tenant, memberId)
      if (rights) return rights
      // A platform administrator without a membership holds every permission, granted by no role.
      const workspaceSlugs = (await allPermissions(db)).filter(one => one.level === 'workspace').map(one => one.slug)
      return { memberId, workspaceId, workspaceRole: '', permissions: workspaceSlugs, source: { role: [], direct: [] } }
    },
  })

/** Every permission by category and slug. */
const allPermissions = (db: Db) =>
  db.selectFrom('permissions').selectAll().orderBy('category').orderBy('slug').execute()

/** Effective permissions of a member in a workspace; undefined without a membership. */
async function rightsOf(db: Db, tenant: Tenant, memberId: string) {
  const [member, membership, workspace] = await Promise.all([
    findById(db, memberId),
    loadMembership(db, tenant, memberId),
    findWorkspace(db, tenant),
  ])
  if (!member || !membership || membership.left_at !== null) return undefined
  return {
    memberId,
    workspaceId: tenant.workspaceId,
    workspaceRole: membership.workspace_role,
    permissions: workspace ? permissionsIn(workspace, membership) : [],
    source: { role: membership.roleSlugs, direct: membership.directSlugs },
  }
}

const toPermission = ({ description, created_at, updated_at, ...row }: Selectable<PermissionsTable>) => ({
  ...row,
  description: optional(description),
  createdAt: timestamp(created_at),
  updatedAt: timestamp(updated_at),
})
