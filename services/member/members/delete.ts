import type { HandlerContext } from '@connectrpc/connect'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, NotFoundError, toPlatformError } from '../../kernel/base/errors.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/rpc/host.ts'
import { auditMember } from '../audit/record.ts'
import { memberValues } from '../audit/values.ts'
import { checkHierarchy } from '../hierarchy/hierarchy.ts'
import { hotelsOf } from '../hotel-memberships/sql.ts'
import { lockMember } from '../people/sql.ts'
import type { Db, Trx } from '../tables.ts'
import { keepAdministratorOf, keepOwnerOf } from '../workspace-memberships/administrators.ts'
import { leaveEcosystem } from '../workspace-memberships/leave.sql.ts'
import { leave } from '../workspace-memberships/leave.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { actorAt } from '../workspace-memberships/pending.ts'
import { checkHotelRanks, checkRanks } from '../workspace-memberships/ranks.ts'
import type { Reach } from '../workspace-memberships/reach.ts'
import { announceDeletion, announceDeparture, announceRevokedAdministration } from './announce.ts'
import { removeMember } from './delete.sql.ts'
import { erase } from './erasure.ts'

type Needs = { db: Db; bus: Bus }
type Deleting = Needs & Pick<Runtime, 'client' | 'log'>

const denied = () => new ForbiddenError('Permission denied')
const notFound = () => new NotFoundError('Member not found')

/** Soft-deletes a member. A member who also belongs to tenants beyond the caller's leaves only the caller's. */
export async function deleteMember(needs: Deleting, reach: Reach, context: HandlerContext): Promise<void> {
  const { db, bus, client, log } = needs
  await checkRights(db, reach, context)
  const open = new Set(reach.tenants.map(one => one.workspaceId))
  const isWhole = await isAllOf(db, reach)
  const left = ecosystemsLeft(reach, open)
  await inTransaction(db, async trx => {
    if (!reach.isPlatform) await keepOwnerOf(trx, reach.member.id, isWhole ? undefined : left)
    const hasLeft = await leaveAll(trx, bus, reach, context, isWhole ? everywhere(reach) : reach.tenants)
    if (isWhole) await removeWhole(trx, reach, context, 'member.deleted')
    // A concurrent call was first, so the member no longer exists for this caller.
    else if (!hasLeft) throw notFound()
    else for (const ecosystemId of left) await leaveEcosystem(trx, ecosystemId, reach.member.id)
  })
  if (!isWhole || !reach.member.user_id) return
  // Before the answer; when it fails, the event of the departure ends them.
  await client(AccountService)
    .revokeUserTokens({ userId: reach.member.user_id }, { timeoutMs: 2_000 })
    .catch((error: unknown) => {
      log.warn({ status: toPlatformError(error).info.status }, 'the end of a deleted member’s sign-ins is queued')
    })
}

/**
 * Erases the personal data of a live member in every tenant.
 * @returns their user ids
 */
export async function eraseLiving({ db, bus }: Needs, reach: Reach, context: HandlerContext): Promise<string[]> {
  if (!reach.isSelf) {
    await checkRights(db, reach, context)
    if (!(await isAllOf(db, reach))) throw denied()
  }
  return inTransaction(db, async trx => {
    if (!reach.isPlatform) await keepOwnerOf(trx, reach.member.id)
    await leaveAll(trx, bus, reach, context, everywhere(reach))
    await removeWhole(trx, reach, context, 'member.erased')
    return erase(trx, reach.member)
  })
}

/** All workspaces of a member, pending memberships included. */
const everywhere = ({ memberships }: Reach): Tenant[] =>
  memberships.map(one => ({
    ...systemTenant(one.workspace_id, one.ecosystem_id, 'deletion ends every membership'),
    workspaceName: one.workspace_name,
  }))

async function checkRights(db: Db, reach: Reach, context: HandlerContext): Promise<void> {
  if (reach.isPlatform) return
  if (reach.tenants.length === 0 || reach.seen.isSuperAdmin) throw denied()
  await checkHierarchy(db, reach.tenants, actingMember(context)?.memberId, reach.member.id)
  checkRanks(reach)
  const ecosystemIds = reach.tenants.map(one => one.ecosystemId)
  await checkHotelRanks(db, context, ecosystemIds, reach.member.id)
}

/**
 * Whether the caller's workspaces are all that the member has, in workspaces and in ecosystems. A hotel that the member
 * has not accepted is ignored on both sides.
 */
async function isAllOf(db: Db, { isPlatform, member, memberships, tenants }: Reach): Promise<boolean> {
  if (isPlatform) return true
  const workspaces = new Set(tenants.map(one => one.workspaceId))
  const ecosystems = new Set(tenants.map(one => one.ecosystemId))
  const belongs = (await hotelsOf(db, member.id)).filter(one => one.status === 'active')
  const accepted = memberships.filter(one => one.is_veiled === 0)
  return (
    accepted.length > 0 &&
    accepted.every(one => workspaces.has(one.workspace_id)) &&
    belongs.every(one => ecosystems.has(one.ecosystem_id))
  )
}

/** The names under which a workspace knows a member. */
function shownIn({ workspaceId }: Tenant, { member, memberships }: Reach) {
  const { sort_first = member.first_name, sort_last = member.last_name } =
    memberships.find(one => one.workspace_id === workspaceId) ?? {}
  return { id: member.id, first_name: sort_first, last_name: sort_last }
}

/**
 * Ends the memberships of these workspaces.
 * @returns whether there was one
 */
async function leaveAll(trx: Trx, bus: Bus, reach: Reach, context: HandlerContext, tenants: Tenant[]) {
  let hasLeft = false
  for (const tenant of tenants) {
    await keepAdministratorOf(trx, tenant, reach.member.id)
    const place = reach.memberships.find(one => one.workspace_id === tenant.workspaceId)
    const actor = actorAt(place, reach.tenants, eventActorOf(context))
    if (await leave(trx, bus, tenant, shownIn(tenant, reach), actor)) hasLeft = true
  }
  return hasLeft
}

/**
 * Removes the record of a member who has left every workspace. Of two concurrent calls the second finds no member. A
 * member who meanwhile joined another workspace stays, since the rights there were not checked.
 */
async function removeWhole(
  trx: Trx,
  { member, memberships }: Reach,
  context: HandlerContext,
  action: 'member.deleted' | 'member.erased',
): Promise<void> {
  if (!(await lockMember(trx, member.id))) throw notFound()
  if ((await liveMemberships(trx, [member.id])).length > 0)
    throw new ConflictError('The member has just joined another workspace, try again')
  await removeMember(trx, member)
  await auditMember(trx, memberships, {
    actor: eventActorOf(context),
    action,
    entity: 'member',
    entityId: member.id,
    memberId: member.id,
    before: memberValues(member),
  })
  await announceDeletion(trx, member, memberships, eventActorOf(context))
  if (action === 'member.deleted' && member.user_id) await announceDeparture(trx, member.id, member.user_id)
  if (member.is_super_admin === 1 && member.user_id) await announceRevokedAdministration(trx, member.id, member.user_id)
}

/** Ecosystems in which the member keeps no membership after leaving these workspaces. */
function ecosystemsLeft({ memberships }: Reach, left: Set<string>): string[] {
  const kept = memberships.filter(one => !left.has(one.workspace_id)).map(one => one.ecosystem_id)
  const gone = memberships.filter(one => left.has(one.workspace_id)).map(one => one.ecosystem_id)
  return [...new Set(gone)].filter(id => !kept.includes(id))
}
