import type { HandlerContext } from '@connectrpc/connect'
import type { AddHotelMemberRequest } from '../../../gen/platform/member/v1/hotel_members_pb.ts'
import { eventActorOf, isPlatformCaller, maybePerson, openTenantsOf } from '../../kernel/access/access.ts'
import { requirePermission, systemTenant, type Tenant, tenantOfMember } from '../../kernel/access/tenant.ts'
import { ForbiddenError, invalid } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { findHotelMembership, inviteIntoHotel, joinHotel, updateHotelMembership } from '../hotel-memberships/sql.ts'
import { findByEmail, insertMember, retryOnTakenEmail } from '../people/sql.ts'
import { publishAccessChange } from '../rights/announce.ts'
import { checkGrant } from '../rights/grants.ts'
import { administers } from '../rights/rules.ts'
import type { EcosystemMembershipsTable, Trx } from '../tables.ts'
import { auditRights } from '../workspace-memberships/hotel-rights.ts'
import { addPendingMember, type Grant } from '../workspace-memberships/join.sql.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { mustAccept, pendingMembershipAdded } from '../workspace-memberships/pending.ts'
import { checkHotelWide, checkRegained, hotelRankOf, hotelRanks } from '../workspace-memberships/ranks.ts'
import { findHotelWorkspace, lockForJoining } from '../workspace-memberships/workspace.sql.ts'
import { joinOrInvite } from './admit.ts'
import { auditHotelMember } from './audit.ts'
import { type HotelMemberRow, hotelMember } from './hotel-members.sql.ts'

/** Adds a member to a hotel and its own workspace. A repeated call returns the same member. */
export function addHotelMember(
  { db, bus, links }: Context,
  request: AddHotelMemberRequest,
  context: HandlerContext,
): Promise<HotelMemberRow> {
  const { hotelId, email, firstName, lastName, dashboardAccess = false, isAdmin = false } = request
  const inviter = { actor: eventActorOf(context), memberId: maybePerson(context)?.memberId }
  const role = selectHotelRole(context, hotelId, isAdmin)
  const grant = { role: isAdmin ? 'admin' : 'member', slugs: [], isAdmin }
  const add = async (trx: Trx) => {
    const { tenant, isAnnounced } = await workspaceOf(trx, hotelId)
    const granter = await checkGranter(trx, context, tenant, grant)
    const existing = await findByEmail(trx, email)
    const isAsked = await mustAccept(trx, hotelId, existing)
    const person = existing ?? (await insertMember(trx, { email, firstName, lastName, homeId: hotelId }))
    const before = existing && { person: existing, hotel: await findHotelMembership(trx, hotelId, existing.id) }
    if (granter && dashboardAccess && before?.hotel?.dashboard_access === 0)
      await checkDashboardGrant(trx, context, granter, person)
    if (isAsked) await inviteIntoHotel(trx, hotelId, person.id, role, { firstName, lastName, email })
    else {
      await checkRegained(trx, context, hotelId, person.id)
      await joinHotel(trx, hotelId, person.id, role)
    }
    if (dashboardAccess) await updateHotelMembership(trx, hotelId, person.id, { dashboard_access: 1 })
    // So that undoing the set-up removes the record, too.
    if (!existing) await updateHotelMembership(trx, hotelId, person.id, { brought_member: 1 })
    const hotel = await findHotelMembership(trx, hotelId, person.id)
    if (before?.hotel && hotel && hotel.role !== before.hotel.role) {
      await auditRights(trx, inviter.actor, before.hotel, hotel)
      await publishAccessChange(trx, bus, { memberIds: [person.id], ecosystemId: hotelId })
    }
    if (!isAsked) await auditHotelMember(trx, tenant, person.id, before, inviter.actor)
    if (await addPendingMember(trx, tenant, person.id, grant))
      await audit(trx, tenant, pendingMembershipAdded(inviter.actor, person.id, grant))
    // Until the hotel is open, members are not notified; opened-hotels.ts admits them then.
    if (isAnnounced) await joinOrInvite(trx, { bus, links }, tenant, person.id, inviter)
    return hotelMember(trx, { hotelId, workspaceId: tenant.workspaceId }, person.id)
  }
  return retryOnTakenEmail(() => inTransaction(db, add))
}

/** The role in the hotel: an administrator gets the caller's own. ForbiddenError for a caller without one. */
function selectHotelRole(
  context: HandlerContext,
  hotelId: string,
  isAdmin: boolean,
): EcosystemMembershipsTable['role'] {
  if (!isAdmin) return 'member'
  const rank = hotelRankOf(context, hotelId)
  if (rank === hotelRanks.member) throw new ForbiddenError('Permission denied')
  return rank === hotelRanks.owner ? 'owner' : 'admin'
}

async function workspaceOf(trx: Trx, hotelId: string): Promise<{ tenant: Tenant; isAnnounced: boolean }> {
  const workspace = await findHotelWorkspace(trx, { ecosystemId: hotelId })
  if (!workspace) throw invalid('hotelId', 'is not a hotel of the platform', 'unknown_ecosystem')
  const tenant = systemTenant(workspace.id, hotelId, 'the access check has opened the hotel')
  // With the lock, either this call or the opening of the hotel sees the added member.
  const { announced_at } = await lockForJoining(trx, tenant)
  return { tenant: { ...tenant, workspaceName: workspace.name }, isAnnounced: announced_at !== null }
}

/**
 * A hotel's administrators can grant only what they could grant in its own workspace. ForbiddenError.
 * @returns the workspace with their rights; undefined for services and platform administrators
 */
async function checkGranter(trx: Trx, context: HandlerContext, { workspaceId }: Tenant, grant: Grant) {
  if (isPlatformCaller(context)) return undefined
  const workspace = openTenantsOf(context).workspaces.find(one => one.workspaceId === workspaceId)
  if (!workspace) throw new ForbiddenError('Workspace access denied')
  const granter = tenantOfMember(workspace)
  requirePermission(granter, 'manage_members')
  await checkGrant(trx, granter, grant.role, grant.slugs)
  return granter
}

/** Checks the right to give a member access to the dashboard, as for a change of the member. ForbiddenError. */
async function checkDashboardGrant(
  trx: Trx,
  context: HandlerContext,
  granter: Tenant,
  member: { id: string },
): Promise<void> {
  if (!administers(granter)) throw new ForbiddenError('Permission denied')
  const memberships = await liveMemberships(trx, [member.id])
  const tenants = openTenantsOf(context).workspaces.map(tenantOfMember)
  const reach = { member, memberships, tenants, isSelf: false, isPlatform: false }
  await checkHotelWide(trx, context, reach, [granter.ecosystemId])
}
