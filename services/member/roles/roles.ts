import type { HandlerContext } from '@connectrpc/connect'
import { RoleService } from '../../../gen/platform/member/v1/roles_pb.ts'
import { eventActorOf, tenantOf, tenantOfRecord } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { insertUnderSlug } from '../../kernel/base/texts/slug.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { audit } from '../audit/record.ts'
import { roleValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { permissionsOfRoles } from '../rights/access.sql.ts'
import { isReserved, systemRoles } from '../rights/catalogue.ts'
import { checkSlugs } from '../rights/grants.ts'
import { settablePaths } from '../rights/unchanged.ts'
import type { Trx } from '../tables.ts'
import { loadRole, publishRole, toRoles } from './message.ts'
import {
  dateRole,
  grantSlugs,
  holdersOf,
  insertRole,
  isInvitedTo,
  liveRole,
  locateRole,
  lockRole,
  moveHolders,
  type RoleRow,
  revokeSlugs,
  rolesOf,
  setDefaultRole,
  slugsBeginning,
  updateRole,
} from './roles.sql.ts'

const systemRole = () => new ForbiddenError('System roles cannot be changed')
const slugTaken = () => new ConflictError('The workspace already has a role with this slug')
const isTaken = (error: unknown): boolean => isDuplicateKey(error, 'workspace_roles_slug')
const refuseTaken = (error: unknown): never => {
  throw isTaken(error) ? slugTaken() : error
}

/** Roles of a workspace (`/roles`). System roles are read-only, and callers grant only what they hold. */
export const roleService = ({ db, bus }: Context): Rpc => {
  const openTenant = async (id: string, context: HandlerContext) =>
    tenantOfRecord(context, (await locateRole(db, id))?.workspace_id, 'Role')

  /** Changes a custom role and notifies the members who have it. */
  async function change(
    id: string,
    context: HandlerContext,
    change: (trx: Trx, tenant: Tenant, role: RoleRow, slugs: string[]) => Promise<unknown>,
  ) {
    const tenant = await openTenant(id, context)
    await inTransaction(db, async trx => {
      const role = await lockRole(trx, tenant, id)
      const slugs = (await permissionsOfRoles(trx, [id])).map(one => one.slug)
      if (role.is_system === 1) throw systemRole()
      await change(trx, tenant, role, slugs)
      await dateRole(trx, tenant, id)
      const after = await liveRole(trx, tenant, id).executeTakeFirst()
      const presentSlugs = (await permissionsOfRoles(trx, [id])).map(one => one.slug)
      await audit(trx, tenant, {
        actor: eventActorOf(context),
        action: after ? 'role.updated' : 'role.deleted',
        entityId: id,
        before: roleValues(role, slugs),
        after: after && roleValues(after, presentSlugs),
      })
      await publishRole(trx, bus, tenant, id, eventActorOf(context))
    }).catch(refuseTaken)
    return tenant
  }

  const changeAndLoad = async (...args: Parameters<typeof change>) => ({
    role: await loadRole(db, await change(...args), args[0]),
  })

  return implement(RoleService, {
    async createRole({ name, slug: sentSlug, description = null, permissions }, context) {
      const tenant = tenantOf(context)
      if (sentSlug !== undefined && isReserved(sentSlug)) throw slugTaken()
      await checkSlugs(db, tenant, permissions)
      const id = newId()
      const create = (slug: string) =>
        inTransaction(db, async trx => {
          await insertRole(trx, tenant, { id, name, slug, description })
          await grantSlugs(trx, id, permissions)
          await audit(trx, tenant, {
            actor: eventActorOf(context),
            action: 'role.created',
            entityId: id,
            after: roleValues({ name, slug, description, is_default: 0 }, permissions),
          })
          return { role: await loadRole(trx, tenant, id) }
        })
      if (sentSlug !== undefined) return create(sentSlug).catch(refuseTaken)
      const source = { name, id, kind: 'role', maxLength: 64 }
      const reservedSlugs = systemRoles.map(role => role.slug)
      const loadTakenSlugs = async (prefix: string) =>
        new Set([...reservedSlugs, ...(await slugsBeginning(db, tenant, prefix))])
      return insertUnderSlug({ ...source, loadTaken: loadTakenSlugs, isTaken }, create)
    },

    async listRoles(_request, context) {
      const tenant = tenantOf(context)
      return { data: await toRoles(db, tenant, await rolesOf(db, tenant).execute()) }
    },

    async updateRole(request, context) {
      const { id, updateMask, name, slug, description, permissions, isDefault } = request
      const currentRole = await loadRole(db, await openTenant(id, context), id)
      const values = { ...currentRole, permissions: currentRole.permissions?.map(one => one.slug) }
      const paths = await settablePaths(new Set(updateMask?.paths), request, values, async () => {
        if (currentRole.isSystem) throw systemRole()
      })
      if (paths.size === 0) return { role: currentRole }
      if (paths.has('name') && !name) throw invalid('name', 'cannot be cleared', 'required')
      if (paths.has('slug') && !slug) throw invalid('slug', 'cannot be cleared', 'required')
      if (paths.has('is_default') && isDefault === undefined)
        throw invalid('isDefault', 'cannot be cleared', 'required')
      return changeAndLoad(id, context, async (trx, tenant, role, presentSlugs) => {
        if (paths.has('slug') && slug && slug !== role.slug) {
          if (isReserved(slug)) throw slugTaken()
          await updateRole(trx, tenant, id, { slug, live_slug: slug })
          await moveHolders(trx, tenant, role.slug, slug)
        }
        if (paths.has('name') && name) await updateRole(trx, tenant, id, { name })
        if (paths.has('description')) await updateRole(trx, tenant, id, { description: description ?? null })
        if (paths.has('permissions')) {
          await checkSlugs(trx, tenant, permissions, undefined, presentSlugs)
          await revokeSlugs(trx, id)
          await grantSlugs(trx, id, permissions)
        }
        const current = paths.has('slug') && slug ? slug : role.slug
        if (isDefault === true) await setDefaultRole(trx, tenant, current)
        if (isDefault === false && role.is_default === 1) await setDefaultRole(trx, tenant, 'member')
      })
    },

    async deleteRole({ id }, context) {
      await change(id, context, async (trx, tenant, role) => {
        const [holder] = await holdersOf(trx, tenant, role.slug, 1)
        if (holder) throw new ConflictError('The role is assigned to members')
        if (await isInvitedTo(trx, tenant, role.slug))
          throw new ConflictError('The role is assigned by pending invitations')
        if (role.is_default === 1) await setDefaultRole(trx, tenant, 'member')
        await updateRole(trx, tenant, id, { deleted_at: new Date(), live_slug: null })
      })
      return { message: 'Role deleted', id }
    },

    addRolePermission: ({ id, permissionSlug }, context) =>
      changeAndLoad(id, context, async (trx, tenant, _role, presentSlugs) => {
        await checkSlugs(trx, tenant, [permissionSlug], () => 'permissionSlug', presentSlugs)
        await grantSlugs(trx, id, [permissionSlug])
      }),

    removeRolePermission: ({ id, permissionSlug }, context) =>
      changeAndLoad(id, context, trx => revokeSlugs(trx, id, [permissionSlug])),
  })
}
