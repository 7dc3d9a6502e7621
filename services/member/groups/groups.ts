import type { HandlerContext } from '@connectrpc/connect'
import { actingMember, eventActorOf, tenantOf, tenantOfRecord } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import type { AuditValues } from '../audit/values.ts'
import { checkGroupHierarchy } from '../hierarchy/hierarchy.ts'
import type { Db, Trx } from '../tables.ts'
import { isMember } from '../workspace-memberships/sql.ts'
import { toListedIdentity } from '../workspace-memberships/view.ts'
import { lockWorkspace } from '../workspace-memberships/workspace.sql.ts'
import type { GroupKind } from './kinds.ts'
import {
  demoteHead,
  findGroup,
  findGroupMember,
  type GroupFields,
  insertGroup,
  listGroupMembers,
  locateGroup,
  type MemberGroupRow,
  putIntoGroup,
  removeFromGroup,
  updateGroup,
} from './sql.ts'

/** What only one kind of group does. */
type Rules<Kind extends GroupKind> = {
  /** The recorded fields. */
  values(row: MemberGroupRow<Kind>): AuditValues
  /** Refuses fields to write. The id is empty for a new group. */
  checkFields?(trx: Trx, tenant: Tenant, id: string, fields: GroupFields<Kind>): Promise<void>
  beforeDelete?(trx: Trx, tenant: Tenant, row: MemberGroupRow<Kind>): Promise<unknown>
}

type MemberRequest = { id: string; memberId: string }
type GroupChange = {
  id: string
  updateMask?: { paths: string[] } | undefined
  name?: string | undefined
  isActive?: boolean | undefined
}

const callerIdOf = (context: HandlerContext) => actingMember(context)?.memberId

/**
 * The operations on groups of one kind. Changes lock the workspace, so that no member leaves meanwhile and concurrent
 * changes don't give a group two heads.
 */
export const groupOperations = <Kind extends GroupKind>(db: Db, kind: Kind, rules: Rules<Kind>) => {
  const openTenant = async (id: string, context: HandlerContext): Promise<Tenant> =>
    tenantOfRecord(context, (await locateGroup(db, kind, id))?.workspace_id, kind.title)

  async function loadGroup(trx: Trx, tenant: Tenant, id: string): Promise<MemberGroupRow<Kind>> {
    const row = await findGroup(trx, tenant, kind, id)
    if (!row) throw new NotFoundError(`${kind.title} not found`)
    return row
  }

  async function lockGroup(trx: Trx, tenant: Tenant, id: string): Promise<MemberGroupRow<Kind>> {
    await lockWorkspace(trx, tenant)
    return loadGroup(trx, tenant, id)
  }

  /** Makes a member of the workspace the head in place of the present one; without an id, leaves the group headless. */
  async function setHead(
    trx: Trx,
    tenant: Tenant,
    group: MemberGroupRow<Kind>,
    headId: string | undefined,
    context: HandlerContext,
  ): Promise<void> {
    if (headId && !(await isMember(trx, tenant, headId)))
      throw invalid(kind.headField, 'is not a member of the workspace', 'unknown_member')
    if (headId !== group.head_id) await checkGroupHierarchy(trx, tenant, callerIdOf(context), [headId, group.head_id])
    await demoteHead(trx, tenant, kind, group.id)
    if (headId) await putIntoGroup(trx, tenant, kind, group.id, headId, kind.headRole)
    await updateGroup(trx, tenant, kind, group.id, { [kind.headColumn]: headId ?? null })
  }

  /** A head who is removed or becomes an ordinary member is no longer the head. */
  async function clearHead(trx: Trx, tenant: Tenant, id: string, role: string | undefined): Promise<void> {
    if (role === kind.headRole) await updateGroup(trx, tenant, kind, id, { [kind.headColumn]: null })
  }

  /** Records a creation, change or deletion; the missing side tells which. */
  async function auditGroup(
    trx: Trx,
    tenant: Tenant,
    context: HandlerContext,
    before: MemberGroupRow<Kind> | undefined,
    after: MemberGroupRow<Kind> | undefined,
  ): Promise<void> {
    const verb = before ? (after ? 'updated' : 'deleted') : 'created'
    await audit(trx, tenant, {
      actor: eventActorOf(context),
      action: `${kind.entity}.${verb}`,
      entityId: (before ?? after)?.id ?? '',
      before: before && rules.values(before),
      after: after && rules.values(after),
    })
  }

  /** Records a change of a member's role in a group; a missing role means not a member. */
  async function auditRole(
    trx: Trx,
    tenant: Tenant,
    context: HandlerContext,
    { id, memberId }: MemberRequest,
    [before, after]: [string | undefined, string | undefined],
  ): Promise<void> {
    if (before === after) return
    const verb = before ? (after ? 'member_changed' : 'member_removed') : 'member_added'
    await audit(trx, tenant, {
      actor: eventActorOf(context),
      action: `${kind.entity}.${verb}`,
      entityId: id,
      memberId,
      before: before ? { role: before } : undefined,
      after: after ? { role: after } : undefined,
    })
  }

  return {
    async create(name: string, fields: GroupFields<Kind>, headId: string | undefined, context: HandlerContext) {
      const tenant = tenantOf(context)
      return inTransaction(db, async trx => {
        await lockWorkspace(trx, tenant)
        await rules.checkFields?.(trx, tenant, '', fields)
        const id = await insertGroup(trx, tenant, kind, name, fields)
        if (headId) await setHead(trx, tenant, await loadGroup(trx, tenant, id), headId, context)
        const after = await loadGroup(trx, tenant, id)
        await auditGroup(trx, tenant, context, undefined, after)
        return after
      })
    },

    /** Changes the fields that the mask names. */
    async update(
      { id, updateMask, name, isActive }: GroupChange,
      fields: GroupFields<Kind>,
      headId: string | undefined,
      context: HandlerContext,
    ) {
      const tenant = await openTenant(id, context)
      const paths = new Set<string>(updateMask?.paths)
      if (paths.has('name') && !name) throw invalid('name', 'cannot be cleared', 'required')
      if (paths.has('is_active') && isActive === undefined) throw invalid('isActive', 'cannot be cleared', 'required')
      const fieldsToSet = Object.entries<string | undefined>({ name, ...fields }).filter(([column]) =>
        paths.has(column),
      )
      const set = {
        ...Object.fromEntries(fieldsToSet.map(([column, value]) => [column, value ?? null])),
        ...(paths.has('is_active') ? { is_active: isActive ? 1 : 0 } : {}),
      }
      return inTransaction(db, async trx => {
        const before = await lockGroup(trx, tenant, id)
        await rules.checkFields?.(trx, tenant, id, Object.fromEntries(fieldsToSet) as GroupFields<Kind>)
        if (Object.keys(set).length > 0) await updateGroup(trx, tenant, kind, id, set)
        if (paths.has(kind.headColumn)) await setHead(trx, tenant, before, headId, context)
        const after = await loadGroup(trx, tenant, id)
        await auditGroup(trx, tenant, context, before, after)
        return after
      })
    },

    async delete(id: string, context: HandlerContext) {
      const tenant = await openTenant(id, context)
      await inTransaction(db, async trx => {
        const before = await lockGroup(trx, tenant, id)
        await auditGroup(trx, tenant, context, before, undefined)
        await rules.beforeDelete?.(trx, tenant, before)
        await updateGroup(trx, tenant, kind, id, { deleted_at: new Date(), [kind.headColumn]: null })
        await removeFromGroup(trx, tenant, kind, id)
      })
      return { message: `${kind.title} deleted`, id }
    },

    async addMember({ id, memberId, role }: MemberRequest & { role?: string | undefined }, context: HandlerContext) {
      const tenant = await openTenant(id, context)
      const row = await inTransaction(db, async trx => {
        const group = await lockGroup(trx, tenant, id)
        if (!(await isMember(trx, tenant, memberId))) throw new NotFoundError('Member not found')
        await checkGroupHierarchy(trx, tenant, callerIdOf(context), [memberId])
        const before = await findGroupMember(trx, tenant, kind, id, memberId)
        const staysHead = !role && kind.keepsHead && before?.role === kind.headRole
        if (role === kind.headRole) await setHead(trx, tenant, group, memberId, context)
        else if (!staysHead) {
          await clearHead(trx, tenant, id, before?.role)
          await putIntoGroup(trx, tenant, kind, id, memberId, 'member')
        }
        const after = await findGroupMember(trx, tenant, kind, id, memberId)
        await auditRole(trx, tenant, context, { id, memberId }, [before?.role, after?.role])
        return after
      })
      return { memberId, role: row?.role ?? 'member', joinedAt: timestamp(row?.joined_at) }
    },

    async removeMember({ id, memberId }: MemberRequest, context: HandlerContext) {
      const tenant = await openTenant(id, context)
      await inTransaction(db, async trx => {
        await lockGroup(trx, tenant, id)
        const before = await findGroupMember(trx, tenant, kind, id, memberId)
        if (!before) return
        await checkGroupHierarchy(trx, tenant, callerIdOf(context), [memberId])
        await auditRole(trx, tenant, context, { id, memberId }, [before.role, undefined])
        await clearHead(trx, tenant, id, before.role)
        await removeFromGroup(trx, tenant, kind, id, memberId)
      })
      return { message: `Member removed from ${kind.entity}`, memberId }
    },

    async listMembers(id: string, context: HandlerContext) {
      const rows = await listGroupMembers(db, await openTenant(id, context), kind, id)
      return { data: rows.map(row => ({ id: row.id, ...toListedIdentity(row), role: row.role })) }
    },
  }
}
