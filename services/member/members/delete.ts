import type { HandlerContext } from '@connectrpc/connect'
import { sql } from 'kysely'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, NotFoundError, toRpcError } from '../../kernel/base/errors.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { auditMember } from '../audit/record.ts'
import { memberValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { checkHierarchy } from '../hierarchy/hierarchy.ts'
import { hotelMembershipsOf } from '../hotel-memberships/sql.ts'
import { lockMember } from '../people/sql.ts'
import type { Db, Trx } from '../tables.ts'
import { refuseLastAdministratorById, refuseLastOwnerOf } from '../workspace-memberships/administrators.ts'
import { leaveHotel } from '../workspace-memberships/leave.sql.ts'
import { leaveWorkspace } from '../workspace-memberships/leave.ts'
import { liveMemberships, tenantOfMembership } from '../workspace-memberships/live.sql.ts'
import { shownActor } from '../workspace-memberships/pending.ts'
import { checkHotelRanks, checkRanks } from '../workspace-memberships/ranks.ts'
import type { Reach } from '../workspace-memberships/reach.ts'
import { publishDeparture, publishMemberDeletion, publishRevokedAdministration } from './announce.ts'
import { erase } from './erasure.ts'

const permissionDenied = () => new ForbiddenError('Permission denied')
const notFound = () => new NotFoundError('Member not found')

/** Soft-deletes a member. A member who also belongs to tenants beyond the caller's leaves only the caller's. */
export async function deleteMember(needs: Context, reach: Reach, context: HandlerContext): Promise<void> {
  const { db, bus, client, log } = needs
  await checkRights(db, reach, context)
  const openWorkspaceIds = new Set(reach.tenants.map(one => one.workspaceId))
  const isUnfiltered = await coversAllMemberships(db, reach)
  const leftHotels = hotelsToLeave(reach, openWorkspaceIds)
  await inTransaction(db, async trx => {
    if (!reach.isPlatform) await refuseLastOwnerOf(trx, reach.member.id, isUnfiltered ? undefined : leftHotels)
    const hasLeft = await leaveWorkspaces(trx, bus, reach, context, isUnfiltered ? allTenantsOf(reach) : reach.tenants)
    if (isUnfiltered) await deleteRecord(trx, reach, context, 'member.deleted')
    // A concurrent call was first, so the member no longer exists for this caller.
    else if (!hasLeft) throw notFound()
    else for (const ecosystemId of leftHotels) await leaveHotel(trx, ecosystemId, reach.member.id)
  })
  if (!isUnfiltered || !reach.member.user_id) return
  // Before the answer; when it fails, the event of the departure ends them.
  await client(AccountService)
    .revokeUserTokens({ userId: reach.member.user_id }, { timeoutMs: 2_000 })
    .catch((error: unknown) => {
      log.warn({ status: toRpcError(error).info.status }, 'the end of a deleted member’s sign-ins is queued')
    })
}

/**
 * Erases the personal data of a live member in every tenant.
 * @returns their user ids
 */
export async function eraseLiveMember({ db, bus }: Context, reach: Reach, context: HandlerContext): Promise<string[]> {
  if (!reach.isSelf) {
    await checkRights(db, reach, context)
    if (!(await coversAllMemberships(db, reach))) throw permissionDenied()
  }
  return inTransaction(db, async trx => {
    if (!reach.isPlatform) await refuseLastOwnerOf(trx, reach.member.id)
    await leaveWorkspaces(trx, bus, reach, context, allTenantsOf(reach))
    await deleteRecord(trx, reach, context, 'member.erased')
    return erase(trx, reach.member)
  })
}

/** All workspaces of a member, pending memberships included. */
const allTenantsOf = ({ memberships }: Reach): Tenant[] =>
  memberships.map(one => tenantOfMembership(one, 'deletion ends every membership'))

async function checkRights(db: Db, reach: Reach, context: HandlerContext): Promise<void> {
  if (reach.isPlatform) return
  if (reach.tenants.length === 0 || reach.view.isSuperAdmin) throw permissionDenied()
  await checkHierarchy(db, reach.tenants, actingMember(context)?.memberId, reach.member.id)
  checkRanks(reach)
  const ecosystemIds = reach.tenants.map(one => one.ecosystemId)
  await checkHotelRanks(db, context, ecosystemIds, reach.member.id)
}

/**
 * Whether the caller's workspaces are all that the member has, in workspaces and in ecosystems. A hotel that the member
 * has not accepted is ignored on both sides.
 */
async function coversAllMemberships(db: Db, { isPlatform, member, memberships, tenants }: Reach): Promise<boolean> {
  if (isPlatform) return true
  const workspaces = new Set(tenants.map(one => one.workspaceId))
  const ecosystems = new Set(tenants.map(one => one.ecosystemId))
  const activeHotelMemberships = (await hotelMembershipsOf(db, member.id)).filter(one => one.status === 'active')
  const acceptedMemberships = memberships.filter(one => one.is_veiled === 0)
  return (
    acceptedMemberships.length > 0 &&
    acceptedMemberships.every(one => workspaces.has(one.workspace_id)) &&
    activeHotelMemberships.every(one => ecosystems.has(one.ecosystem_id))
  )
}

/** The names under which a workspace knows a member. */
function namesInWorkspace({ workspaceId }: Tenant, { member, memberships }: Reach) {
  const { sort_first = member.first_name, sort_last = member.last_name } =
    memberships.find(one => one.workspace_id === workspaceId) ?? {}
  return { id: member.id, first_name: sort_first, last_name: sort_last }
}

/**
 * Ends the memberships of these workspaces.
 * @returns whether there was one
 */
async function leaveWorkspaces(trx: Trx, bus: Bus, reach: Reach, context: HandlerContext, tenants: Tenant[]) {
  let hasLeft = false
  for (const tenant of tenants) {
    await refuseLastAdministratorById(trx, tenant, reach.member.id)
    const place = reach.memberships.find(one => one.workspace_id === tenant.workspaceId)
    const actor = shownActor(place, reach.tenants, eventActorOf(context))
    if (await leaveWorkspace(trx, bus, tenant, namesInWorkspace(tenant, reach), actor)) hasLeft = true
  }
  return hasLeft
}

/**
 * Removes the record of a member who has left every workspace. Of two concurrent calls the second finds no member. A
 * member who meanwhile joined another workspace stays, since the rights there were not checked.
 */
async function deleteRecord(
  trx: Trx,
  { member, memberships }: Reach,
  context: HandlerContext,
  action: 'member.deleted' | 'member.erased',
): Promise<void> {
  await lockMember(trx, member.id)
  if ((await liveMemberships(trx, [member.id])).length > 0)
    throw new ConflictError('The member has just joined another workspace, try again')
  await softDeleteMember(trx, member)
  await auditMember(trx, memberships, {
    actor: eventActorOf(context),
    action,
    memberId: member.id,
    before: memberValues(member),
  })
  await publishMemberDeletion(trx, member, memberships, eventActorOf(context))
  if (action === 'member.deleted' && member.user_id) await publishDeparture(trx, member.id, member.user_id)
  if (member.is_super_admin === 1 && member.user_id) await publishRevokedAdministration(trx, member.id, member.user_id)
}

/** Soft-deletes a member. Their address and account become free, and their subordinates move up. */
async function softDeleteMember(trx: Trx, { id }: { id: string }): Promise<void> {
  await trx
    .updateTable('members')
    .set({
      deleted_at: sql<Date>`current_timestamp(3)`,
      live_email: null,
      // MySQL assigns from left to right: former_user_id reads user_id before it is cleared.
      former_user_id: sql`coalesce(user_id, former_user_id)`,
      user_id: null,
      is_active: 0,
      is_super_admin: 0,
    })
    .where('id', '=', id)
    .execute()
  for (const { ecosystem_id } of await hotelMembershipsOf(trx, id)) await leaveHotel(trx, ecosystem_id, id)
}

/** Ecosystems in which the member keeps no membership after leaving these workspaces. */
function hotelsToLeave({ memberships }: Reach, leftWorkspaces: Set<string>): string[] {
  const keptHotels = memberships.filter(one => !leftWorkspaces.has(one.workspace_id)).map(one => one.ecosystem_id)
  const leftHotels = memberships.filter(one => leftWorkspaces.has(one.workspace_id)).map(one => one.ecosystem_id)
  return [...new Set(leftHotels)].filter(id => !keptHotels.includes(id))
}
