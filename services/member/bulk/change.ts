import { ConflictError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { isId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import { type AuditChange, membershipValues } from '../audit/values.ts'
import { checkHierarchy } from '../hierarchy/hierarchy.ts'
import { publishAccessChange, publishRights } from '../rights/announce.ts'
import { lockRoles } from '../rights/grants.sql.ts'
import { checkRole, checkSlugs } from '../rights/grants.ts'
import type { Trx } from '../tables.ts'
import { refuseLastAdministrator } from '../workspace-memberships/administrators.ts'
import { updateInvitationGrants } from '../workspace-memberships/invitations.sql.ts'
import { withRights } from '../workspace-memberships/message.ts'
import { checkRank } from '../workspace-memberships/ranks.ts'
import { isChange, lockMembership, updateMembership } from '../workspace-memberships/sql.ts'
import { type BulkCall, type BulkResult, oncePerKey, toFailure } from './rules.ts'

type Membership = NonNullable<Awaited<ReturnType<typeof lockMembership>>>
type Rights = { workspace_role?: string; role_id?: string; is_admin?: number; permission_slugs?: string }

/** A row names its member, unless it couldn't be read. */
export type ChangeRow = { memberId: string; fault?: string | undefined }
export type RoleChangeRow = ChangeRow & { workspaceRole: string }
export type GrantRow = ChangeRow & { permissions?: string[] }

/** Changes the roles of many members under the rules for changing one. */
export const changeRoles = (call: BulkCall, rows: RoleChangeRow[]): Promise<BulkResult[]> =>
  changeEach(call, rows, trx => {
    const { tenant, caller } = call
    const holdRole = oncePerKey(async role => {
      const { id } = await checkRole(trx, tenant, role)
      await lockRoles(trx, tenant, [role])
      return id
    })
    return async (membership, { memberId, workspaceRole }) => {
      const role_id = await holdRole(workspaceRole)
      if (memberId === caller.memberId) await checkRole(trx, tenant, workspaceRole, true)
      if (workspaceRole !== 'admin') await refuseLastAdministrator(trx, tenant, membership)
      return { workspace_role: workspaceRole, role_id, is_admin: workspaceRole === 'admin' ? 1 : 0 }
    }
  })

/** Grants slugs to many members in addition to those they have: those of the row, or else `common`, already checked. */
export const grantSlugs = (call: BulkCall, rows: GrantRow[], common: string[]): Promise<BulkResult[]> =>
  changeEach(call, rows, trx => {
    const checkOwn = oncePerKey(slugs => checkSlugs(trx, call.tenant, JSON.parse(slugs) as string[]))
    return async (membership, { permissions: ownSlugs = [] }) => {
      const slugs = ownSlugs.length > 0 ? ownSlugs : common
      if (slugs.length === 0) throw invalid('permissions', 'is required', 'required')
      await checkOwn(JSON.stringify(ownSlugs))
      const slugsBefore = JSON.parse(membership.permission_slugs) as string[]
      return { permission_slugs: JSON.stringify([...new Set([...slugsBefore, ...slugs])]) }
    }
  })

/**
 * Changes each membership as `decide` says, in one transaction. A refused row changes nothing. `decideIn` runs once for
 * each try of the transaction, since a retry must not reuse the checks and locks of the failed one.
 */
async function changeEach<Row extends ChangeRow>(
  { db, bus, tenant, caller: { actor, memberId: callerId } }: BulkCall,
  rows: Row[],
  decideIn: (trx: Trx) => (membership: Membership, row: Row) => Promise<Rights>,
): Promise<BulkResult[]> {
  return inTransaction(db, async trx => {
    const decide = decideIn(trx)
    const results: BulkResult[] = []
    const changes: AuditChange[] = []
    const doneIds = new Set<string>()
    const changedById = new Map<string, Membership>()
    for (const [index, row] of rows.entries()) {
      const { memberId, fault } = row
      const membership = isId(memberId) ? await lockMembership(trx, tenant, memberId) : undefined
      const identity = { ...(fault ? {} : { memberId }), ...(membership ? { email: membership.email } : {}) }
      try {
        if (fault) throw invalid('row', fault, 'type')
        if (!membership) throw new NotFoundError('Member not found')
        if (doneIds.has(memberId)) throw new ConflictError('The member appears in an earlier row')
        await checkHierarchy(trx, [tenant], callerId, memberId)
        checkRank(tenant, membership)
        const { role_id = membership.role_id, ...set } = await decide(membership, row)
        doneIds.add(memberId)
        if (isChange(membership, set)) {
          await updateMembership(trx, tenant, memberId, set)
          const after = { ...membership, ...set, role_id }
          changedById.set(memberId, after)
          const [before, now] = [membership, after].map(membershipValues)
          changes.push({ actor, action: 'membership.updated', memberId, before, after: now })
        }
        results.push({ index, success: true, ...identity })
      } catch (error) {
        results.push(toFailure(index, error, identity))
      }
    }
    if (changedById.size === 0) return results
    const memberIds = [...changedById.keys()]
    await updateInvitationGrants(trx, tenant, memberIds)
    await audit(trx, tenant, changes)
    await publishRights(trx, tenant, await withRights(trx, [...changedById.values()]), actor)
    await publishAccessChange(trx, bus, { ...tenant, memberIds })
    return results
  })
}
