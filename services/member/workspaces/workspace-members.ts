import type { HandlerContext } from '@connectrpc/connect'
import { WorkspaceMemberService } from '../../../gen/platform/member/v1/workspace_members_pb.ts'
import { actingMember, eventActorOf, personOf, tenantOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import { audit } from '../audit/record.ts'
import { type AuditChange, membershipValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { department } from '../groups/kinds.ts'
import { groupsOf } from '../groups/sql.ts'
import { checkHierarchy } from '../hierarchy/hierarchy.ts'
import { restingIn } from '../hotel-memberships/rests.sql.ts'
import { findHotelMembership, joinHotel } from '../hotel-memberships/sql.ts'
import { callerOf } from '../onboarding/cancel.ts'
import { invite } from '../onboarding/invite.ts'
import { findById } from '../people/sql.ts'
import { publishAccessChange, publishRights } from '../rights/announce.ts'
import { findDefaultRoleSlug, lockRoles } from '../rights/grants.sql.ts'
import { checkGrant, checkRole, checkSlugs } from '../rights/grants.ts'
import { administers } from '../rights/rules.ts'
import type { Trx } from '../tables.ts'
import { refuseLastAdministrator, refuseLastAdministratorById } from '../workspace-memberships/administrators.ts'
import { updateInvitationGrants } from '../workspace-memberships/invitations.sql.ts'
import { grantOf } from '../workspace-memberships/join.sql.ts'
import { joinWorkspace } from '../workspace-memberships/join.ts'
import { leaveWorkspace } from '../workspace-memberships/leave.ts'
import { listMembers } from '../workspace-memberships/list.sql.ts'
import { loadMembership, toMembership } from '../workspace-memberships/message.ts'
import { inviteKnownPerson, mustAccept } from '../workspace-memberships/pending.ts'
import { checkRank, checkRegained, holdsInHotel } from '../workspace-memberships/ranks.ts'
import { reviewRests } from '../workspace-memberships/rests.ts'
import {
  belongsToEcosystem,
  isChange,
  loadNamesIn,
  lockMembership,
  updateMembership,
} from '../workspace-memberships/sql.ts'
import { toListedIdentity } from '../workspace-memberships/view.ts'
import { lockForJoining } from '../workspace-memberships/workspace.sql.ts'

/** Memberships of workspaces. */
export const workspaceMemberService = ({ db, bus, links }: Context): Rpc => {
  /** The membership to change, locked, after checking the caller's rank and place in the hierarchy. */
  async function lockChangeable(trx: Trx, context: HandlerContext, tenant: Tenant, memberId: string) {
    const membership = await lockMembership(trx, tenant, memberId)
    if (!membership) throw new NotFoundError('Member not found')
    await checkHierarchy(trx, [tenant], actingMember(context)?.memberId, memberId)
    checkRank(tenant, membership)
    return membership
  }

  return implement(WorkspaceMemberService, {
    async addWorkspaceMember({ memberId, workspaceRole, permissions }, context) {
      const tenant = tenantOf(context)
      const person = await findById(db, memberId)
      if (!person || !(await belongsToEcosystem(db, tenant, memberId))) throw new NotFoundError('Member not found')
      const role = workspaceRole ?? (await findDefaultRoleSlug(db, tenant))
      const slugs = [...new Set(permissions)]
      await checkGrant(db, tenant, role, permissions)
      const grant = grantOf(role, slugs)
      const membership = await inTransaction(db, async trx => {
        await lockForJoining(trx, tenant)
        if (await lockMembership(trx, tenant, memberId))
          throw new ConflictError('This person is already a member of the workspace')
        const actor = eventActorOf(context)
        if (await mustAccept(trx, tenant.ecosystemId, person)) {
          const typedIdentity = await loadNamesIn(trx, tenant, person)
          if (!typedIdentity) throw new NotFoundError('Member not found')
          await inviteKnownPerson(trx, tenant, memberId, grant, { typedIdentity }, actor)
          await invite(trx, links, tenant, callerOf(context), { ...typedIdentity, role, permissions: slugs })
        } else {
          await checkRegained(trx, context, tenant.ecosystemId, memberId)
          await joinHotel(trx, tenant.ecosystemId, memberId, 'member')
          await joinWorkspace(trx, bus, tenant, person, grant, actor)
        }
        return loadMembership(trx, tenant, memberId)
      })
      return { membership: membership && toMembership(membership) }
    },

    async removeWorkspaceMember({ workspaceId, memberId }, context) {
      const tenant = tenantOf(context)
      await inTransaction(db, async trx => {
        const membership = await lockChangeable(trx, context, tenant, memberId)
        await refuseLastAdministrator(trx, tenant, membership)
        const actor = eventActorOf(context)
        const restingMembers = await restingIn(trx, tenant, memberId)
        await leaveWorkspace(trx, bus, tenant, membership, actor)
        await reviewRests(trx, tenant, restingMembers, actor)
      })
      return { message: 'Member removed from workspace', workspaceId, memberId }
    },

    async leaveWorkspace({ id }, context) {
      const tenant = tenantOf(context)
      const { memberId } = personOf(context)
      await inTransaction(db, async trx => {
        await refuseLastAdministratorById(trx, tenant, memberId)
        const membership = await lockMembership(trx, tenant, memberId)
        if (!membership) throw new NotFoundError('Member not found')
        await leaveWorkspace(trx, bus, tenant, membership, eventActorOf(context))
      })
      return { message: 'Workspace left', id }
    },

    async listWorkspaceMembers(request, context) {
      const tenant = tenantOf(context)
      const page = paging(request)
      const filter = {
        role: request.workspaceRole,
        status: request.status,
        search: request.search,
        teamId: request.teamId,
        departmentId: request.departmentId,
        memberIds: request.memberId.length > 0 ? request.memberId : undefined,
      }
      const { rows, total } = await listMembers(db, tenant, filter, page)
      const ids = rows.map(row => row.member_id)
      const departments = ids.length > 0 ? await groupsOf(db, department, ids, [tenant.workspaceId]) : []
      const data = rows.map(row => ({
        memberId: row.member_id,
        ...toListedIdentity(row),
        workspaceRole: row.workspace_role,
        permissionSlugs: JSON.parse(row.permission_slugs) as string[],
        status: row.status,
        isAdmin: row.is_admin === 1,
        joinedAt: timestamp(row.joined_at),
        departments: departments.filter(one => one.member_id === row.member_id).map(one => one.name),
      }))
      return { data, meta: pageMeta(total, page) }
    },

    async updateWorkspaceMember({ memberId, updateMask, workspaceRole, permissions, isAdmin }, context) {
      const tenant = tenantOf(context)
      const paths = new Set(updateMask?.paths)
      if (paths.has('workspace_role') && !workspaceRole) throw invalid('workspaceRole', 'cannot be cleared', 'required')
      if (paths.has('is_admin') && isAdmin === undefined) throw invalid('isAdmin', 'cannot be cleared', 'required')
      const membership = await inTransaction(db, async trx => {
        const before = await lockChangeable(trx, context, tenant, memberId)
        const set: Parameters<typeof updateMembership>[3] = {}
        if (paths.has('workspace_role') && workspaceRole && workspaceRole !== before.workspace_role) {
          await checkRole(trx, tenant, workspaceRole, memberId === actingMember(context)?.memberId)
          await lockRoles(trx, tenant, [workspaceRole])
          set.workspace_role = workspaceRole
          set.is_admin = workspaceRole === 'admin' ? 1 : 0
        }
        if (paths.has('permissions')) {
          await checkSlugs(trx, tenant, permissions, undefined, JSON.parse(before.permission_slugs) as string[])
          set.permission_slugs = JSON.stringify([...new Set(permissions)])
        }
        if (paths.has('is_admin') && isAdmin !== undefined) {
          const isChanged = isAdmin !== (before.is_admin === 1)
          if (isChanged && !administers(tenant)) throw new ForbiddenError('Permission denied')
          set.is_admin = isAdmin ? 1 : 0
        }
        const after = { ...before, ...set }
        if (after.is_admin === 0 && after.workspace_role !== 'admin') await refuseLastAdministrator(trx, tenant, before)
        if (!isChange(before, set)) return toMembership(await presentMembership(trx, tenant, memberId))
        await updateMembership(trx, tenant, memberId, set)
        await updateInvitationGrants(trx, tenant, [memberId])
        return publishChange(trx, bus, tenant, before, eventActorOf(context), 'membership.updated')
      })
      return { membership }
    },

    async suspendWorkspaceMember({ memberId }, context) {
      const tenant = tenantOf(context)
      const membership = await inTransaction(db, async trx => {
        const before = await lockChangeable(trx, context, tenant, memberId)
        await refuseLastAdministrator(trx, tenant, before)
        if (before.status === 'suspended') return toMembership(await presentMembership(trx, tenant, memberId))
        await updateMembership(trx, tenant, memberId, { status: 'suspended' })
        return publishChange(trx, bus, tenant, before, eventActorOf(context), 'membership.suspended')
      })
      return { membership }
    },

    async reactivateWorkspaceMember({ memberId }, context) {
      const tenant = tenantOf(context)
      const membership = await inTransaction(db, async trx => {
        const before = await lockChangeable(trx, context, tenant, memberId)
        // A reactivation grants the rights again, so the caller must hold them.
        if (before.is_veiled === 1) throw new ConflictError('This person has not accepted the invitation yet')
        if (before.status === 'active') return toMembership(await presentMembership(trx, tenant, memberId))
        await checkGrant(trx, tenant, before.workspace_role, JSON.parse(before.permission_slugs) as string[])
        const hotel = await findHotelMembership(trx, tenant.ecosystemId, memberId)
        // Owners and administrators of the hotel keep their rights there while they are suspended.
        if (hotel?.role === 'member' && !holdsInHotel(context, hotel)) throw new ForbiddenError('Permission denied')
        await updateMembership(trx, tenant, memberId, { status: 'active' })
        return publishChange(trx, bus, tenant, before, eventActorOf(context), 'membership.reactivated')
      })
      return { membership }
    },
  })
}

type Membership = NonNullable<Awaited<ReturnType<typeof lockMembership>>>

async function presentMembership(trx: Trx, tenant: Tenant, memberId: string) {
  const membership = await loadMembership(trx, tenant, memberId)
  if (!membership) throw new NotFoundError('Member not found')
  return membership
}

/** Publishes changed rights of a member and returns the present membership. */
async function publishChange(
  trx: Trx,
  bus: Bus,
  tenant: Tenant,
  before: Membership,
  actor: EventActor,
  action: AuditChange['action'],
) {
  const { member_id: memberId } = before
  const membership = await presentMembership(trx, tenant, memberId)
  const values = { before: membershipValues(before), after: membershipValues(membership) }
  await audit(trx, tenant, { actor, action, memberId, ...values })
  await publishRights(trx, tenant, [membership], actor)
  await publishAccessChange(trx, bus, { ...tenant, memberIds: [memberId] })
  return toMembership(membership)
}
