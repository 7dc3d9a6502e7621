import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import type { UpdateMemberRequest } from '../../../gen/platform/member/v1/members_pb.ts'
import { eventActorOf } from '../../kernel/access/access.ts'
import { ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import { auditMember } from '../audit/record.ts'
import { memberValues } from '../audit/values.ts'
import type { Context, Links } from '../context.ts'
import { lockAbove, visibleMember } from '../hierarchy/sql.ts'
import { publishRestEnded } from '../hotel-memberships/rests.ts'
import {
  findHotelMembership,
  type HotelMembership,
  type HotelValueChange,
  hotelMembershipsOf,
  updateHotelMembership,
} from '../hotel-memberships/sql.ts'
import { callerOf, cancelInvitationsOfMember } from '../onboarding/cancel.ts'
import { invite } from '../onboarding/invite.ts'
import { findById, lockMembers, updateMember } from '../people/sql.ts'
import { checkGrant, isAllowed } from '../rights/grants.ts'
import { settablePaths } from '../rights/unchanged.ts'
import type { MembersTable, Trx } from '../tables.ts'
import { refuseLastAdministratorById, refuseLastOwnerOf } from '../workspace-memberships/administrators.ts'
import { reactivateOnJoin } from '../workspace-memberships/join.ts'
import { type LiveMembership, tenantOfMembership } from '../workspace-memberships/live.sql.ts'
import { type Reach, reachMember, settableHotels } from '../workspace-memberships/reach.ts'
import { isMember } from '../workspace-memberships/sql.ts'
import { addressTaken, requestAddress } from './address.ts'
import { publishMemberUpdate, publishRevokedAdministration } from './announce.ts'
import { toMember } from './message.ts'
import { checkReturn, checkUpdateRights, hotelFields, type MemberField } from './rights.ts'

const requiredFields = new Set(['first_name', 'last_name', 'email', 'dashboard_access', 'is_active', 'is_super_admin'])
const jsonName = (path: string) =>
  path === 'photo_url' ? path : path.replace(/_(.)/g, (_, c: string) => c.toUpperCase())

/** Changes the fields that the mask names, if the caller may. */
export async function updateMemberFields(needs: Context, request: UpdateMemberRequest, context: HandlerContext) {
  const { db } = needs
  const reach = await reachMember(db, context, request.id, 'manage_members')
  const hotels = settableHotels(reach)
  const sentPaths = new Set(request.updateMask?.paths)
  sentPaths.delete('current_password')
  const paths = await settablePaths(sentPaths, request, toMember(reach.view), fields =>
    checkUpdateRights(db, context, reach, fields, hotels),
  )
  const plan = { reach, hotels, paths, ...changesOf(request, paths) }
  if (plan.inHotel.is_active === 1) await checkReturn(db, context, reach, hotels)
  const pendingEmail = paths.has('email') ? await requestAddress(needs, reach, request, context) : undefined
  if (pendingEmail !== undefined) omitEmail(plan)
  if (paths.size > 0) await updateRecord(needs, plan, context)
  return { ...toMember((await reachMember(db, context, request.id, 'manage_members')).view), pendingEmail }
}

type Plan = ReturnType<typeof changesOf> & { reach: Reach; hotels: string[]; paths: Set<string> }

/** The present address counts everywhere until the new one is confirmed [R57]. */
function omitEmail({ paths, set, changes }: Plan): void {
  paths.delete('email')
  delete set.email
  delete set.live_email
  delete changes['email']
}

async function updateRecord({ db, bus, links }: Context, plan: Plan, context: HandlerContext): Promise<void> {
  const { reach, hotels, paths, set, inHotel, changes } = plan
  await inTransaction(db, async trx => {
    const { superior_id, ...hotelValues } = inHotel
    const superiorHotels = paths.has('superior') ? await checkSuperior(trx, reach, hotels, superior_id) : []
    if (inHotel.is_active === 0) await prepareDeactivation(trx, reach, hotels, eventActorOf(context))
    const before = await findById(trx, reach.member.id)
    const hotelsBefore = await hotelMembershipsOf(trx, reach.member.id)
    const isReaddressed = set.live_email !== undefined && set.live_email !== before?.live_email
    const cancellation = { actor: eventActorOf(context), open: reach.tenants }
    const openInvitations = isReaddressed
      ? await cancelInvitationsOfMember(trx, reach.member.id, reach.memberships, cancellation)
      : []
    if (Object.keys(set).length > 0) await updateMember(trx, reach.member.id, set)
    if (Object.keys(hotelValues).length > 0) await setInHotels(trx, reach, hotels, hotelValues, context)
    for (const ecosystemId of superiorHotels)
      await updateHotelMembership(trx, ecosystemId, reach.member.id, { superior_id: superior_id ?? null })
    const after = await findById(trx, reach.member.id)
    if (!before || !after) throw new NotFoundError('Member not found')
    await inviteToNewAddress(trx, links, reach, openInvitations, after, context)
    const hotelsAfter = await hotelMembershipsOf(trx, reach.member.id)
    for (const one of placesOf(reach))
      await auditMember(trx, one ? [one] : [], {
        actor: eventActorOf(context),
        action: 'member.updated',
        memberId: after.id,
        before: memberValues(before, hotelOfWorkspace(hotelsBefore, one)),
        after: memberValues(after, hotelOfWorkspace(hotelsAfter, one)),
      })
    // The event's home is the first membership, so the workspace through which the caller reaches the member comes
    // first.
    const changedHotelIds = [...paths].every(path => hotelFields.has(path))
      ? reach.memberships.filter(one => hotels.includes(one.ecosystem_id))
      : reach.memberships
    const home = changedHotelIds.filter(one => one.workspace_id === reach.tenants[0]?.workspaceId)
    await publishMemberUpdate(
      trx,
      bus,
      after,
      [...new Set([...home, ...changedHotelIds])],
      eventActorOf(context),
      changes,
    )
    const wasAdministrator = before.is_super_admin === 1 || paths.has('is_super_admin')
    if (wasAdministrator && !(after.is_super_admin && after.is_active) && after.user_id)
      await publishRevokedAdministration(trx, after.id, after.user_id)
  }).catch((error: unknown) => {
    throw isDuplicateKey(error, 'members_live_email') ? addressTaken() : error
  })
}

/** Where a change is recorded: in the workspaces that the caller sees, or in none. */
const placesOf = ({ view }: Reach): (LiveMembership | undefined)[] =>
  view.memberships.some(one => one.is_veiled === 0) ? view.memberships.filter(one => one.is_veiled === 0) : [undefined]

const hotelOfWorkspace = (hotels: HotelMembership[], place: LiveMembership | undefined): HotelMembership | undefined =>
  hotels.find(one => one.ecosystem_id === place?.ecosystem_id)

/** Sets hotel values. Activating a member by hand ends their rest. The platform switches all hotels. */
async function setInHotels(
  trx: Trx,
  { member, isPlatform, tenants }: Reach,
  hotels: string[],
  set: HotelValueChange,
  context: HandlerContext,
): Promise<void> {
  const { is_active, ...rest } = set
  // A platform-wide deactivation applies to every hotel and keeps the hotels' own values for a later activation.
  if (isPlatform && is_active !== undefined) await updateMember(trx, member.id, { is_active })
  const isSwitched = isPlatform && is_active !== undefined && (is_active === 0 || member.is_active === 0)
  const values = isSwitched ? rest : set
  for (const ecosystemId of hotels)
    if (Object.keys(values).length > 0) await updateHotelMembership(trx, ecosystemId, member.id, values)
  const [tenant] = tenants
  if (is_active === 1 && !isPlatform && tenant) {
    await reactivateOnJoin(trx, tenant, member.id, eventActorOf(context))
    await publishRestEnded(trx, member.id)
  }
}

/** Columns to set, and the same under the API field names. */
function changesOf(request: UpdateMemberRequest, paths: Set<string>) {
  const values: Record<MemberField, string | boolean | undefined> = {
    first_name: request.firstName,
    last_name: request.lastName,
    email: request.email,
    phone: request.phone,
    photo_url: request.photoUrl,
    superior: request.superior,
    dashboard_access: request.dashboardAccess,
    is_active: request.isActive,
    is_super_admin: request.isSuperAdmin,
  }
  const entries = Object.entries(values).filter(([path]) => paths.has(path))
  for (const [path, value] of entries)
    if (value === undefined && requiredFields.has(path)) throw invalid(jsonName(path), 'cannot be cleared', 'required')
  const columns = entries.map(([path, value]) => [path, typeof value === 'boolean' ? Number(value) : (value ?? null)])
  const set = Object.fromEntries(columns.filter(([path]) => !hotelFields.has(String(path)))) as Parameters<
    typeof updateMember
  >[2]
  if (set.email) set.live_email = normalizeEmail(set.email)
  const inHotel: HotelValueChange = Object.fromEntries(
    columns
      .filter(([path]) => hotelFields.has(String(path)))
      .map(([path, value]) => [path === 'superior' ? 'superior_id' : path, value]),
  )
  return { set, inHotel, changes: Object.fromEntries(entries.map(([path, value]) => [jsonName(path), value ?? null])) }
}

/**
 * Checks the superior in each hotel: they share one of the caller's workspaces with the member and aren't below them. A
 * present superior whom the caller can't see stays; one who is in no workspace of the hotel counts as none. The platform
 * leaves out hotels that the superior isn't in.
 * @returns the hotels in which the superior is set
 */
async function checkSuperior(
  trx: Trx,
  { member, tenants, isPlatform }: Reach,
  hotels: string[],
  superior: string | null | undefined,
): Promise<string[]> {
  if (superior) await lockMembers(trx, [member.id, superior])
  const sharedHotels = new Set<string>()
  for (const tenant of tenants)
    if (superior && (await isMember(trx, tenant, superior))) sharedHotels.add(tenant.ecosystemId)
  const changedHotels: string[] = []
  for (const ecosystemId of hotels) {
    const hotelTenants = tenants.filter(one => one.ecosystemId === ecosystemId)
    const workspaceIds = isPlatform ? undefined : hotelTenants.map(one => one.workspaceId)
    const currentSuperiorId = (await findHotelMembership(trx, ecosystemId, member.id))?.superior_id ?? ''
    if (currentSuperiorId === (superior ?? '')) continue
    const isThere = (ids: string[] | undefined) =>
      visibleMember(trx, currentSuperiorId, { ecosystemId, workspaceIds: ids })
    if (currentSuperiorId && (await isThere(undefined)) && !(await isThere(workspaceIds)))
      throw new ForbiddenError('Permission denied')
    if (superior && !sharedHotels.has(ecosystemId)) {
      if (isPlatform && sharedHotels.size > 0) continue
      throw invalid('superior', 'is not a member of a shared workspace', 'unknown_member')
    }
    if (superior && (superior === member.id || (await lockAbove(trx, ecosystemId, superior)).has(member.id)))
      throw invalid('superior', 'is a subordinate of this member', 'cycle')
    changedHotels.push(ecosystemId)
  }
  return changedHotels
}

/**
 * Before a deactivation: refuses the last administrator of a workspace and the last owner, and cancels open
 * invitations, which would reactivate the member.
 */
async function prepareDeactivation(trx: Trx, reach: Reach, hotels: string[], actor: EventActor): Promise<void> {
  const memberships = reach.isPlatform
    ? reach.memberships
    : reach.memberships.filter(one => hotels.includes(one.ecosystem_id))
  for (const one of memberships)
    await refuseLastAdministratorById(
      trx,
      tenantOfMembership(one, 'a deactivation applies to all of them'),
      reach.member.id,
    )
  if (!reach.isPlatform) await refuseLastOwnerOf(trx, reach.member.id, hotels)
  await cancelInvitationsOfMember(trx, reach.member.id, memberships, { actor, open: reach.tenants })
}

/**
 * Invites a member without an account at their new address, with the rights of their membership. Skips rights that the
 * caller couldn't grant: otherwise changing the address to one's own would be a way to obtain them.
 */
async function inviteToNewAddress(
  trx: Trx,
  links: Links,
  reach: Reach,
  uninvited: LiveMembership[],
  person: Selectable<MembersTable>,
  context: HandlerContext,
): Promise<void> {
  if (person.user_id) return
  for (const { workspace_id, workspace_role: role, permission_slugs } of uninvited) {
    const tenant = reach.tenants.find(one => one.workspaceId === workspace_id)
    const permissions = JSON.parse(permission_slugs) as string[]
    if (!tenant || !(await isAllowed(checkGrant(trx, tenant, role, permissions)))) continue
    // An open invitation that the caller may not replace stays.
    await isAllowed(
      invite(trx, links, tenant, callerOf(context), {
        email: person.email,
        firstName: person.first_name,
        lastName: optional(person.last_name),
        role,
        permissions,
      }),
    )
  }
}
