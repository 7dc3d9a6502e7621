import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import type { UpdateMemberRequest } from '../../../gen/platform/member/v1/members_pb.ts'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import { requireText } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/rpc/host.ts'
import { auditMember } from '../audit/record.ts'
import { memberValues } from '../audit/values.ts'
import { checkHierarchy } from '../hierarchy/hierarchy.ts'
import { lockAbove, visibleMember } from '../hierarchy/sql.ts'
import { checkRanks, keepAdministratorOf } from '../memberships/administrators.ts'
import { wake } from '../memberships/join.ts'
import type { LiveMembership } from '../memberships/live.sql.ts'
import { hotelsToSet, type Reach, reachMember } from '../memberships/reach.ts'
import { isMember } from '../memberships/sql.ts'
import { checkReplaced, endInvitations } from '../onboarding/cancel.ts'
import { invite, type Links } from '../onboarding/invite.ts'
import { type HotelChange, type HotelOf, hotelOf, hotelsOf, setInHotel } from '../people/hotels.sql.ts'
import { tellRestEnded } from '../people/rests.ts'
import { findById, lockMembers, updateMember } from '../people/sql.ts'
import { checkGrant, lets } from '../rights/grants.ts'
import { administers } from '../rights/rules.ts'
import { type Db, normalisedEmail, type Trx } from '../rows.ts'
import type { Members } from '../tables.ts'
import { announceUpdate } from './announce.ts'
import { toMember } from './message.ts'

/** What belongs to the person, and to the hotel that created their record. */
const personal = new Set(['first_name', 'last_name', 'phone', 'photo_url'])
/** What each hotel says of the person for itself. */
const ofHotel = new Set(['superior', 'dashboard_access', 'is_active'])
const required = new Set(['first_name', 'last_name', 'email', 'dashboard_access', 'is_active', 'is_super_admin'])
const jsonName = (path: string) =>
  path === 'photo_url' ? path : path.replace(/_(.)/g, (_, c: string) => c.toUpperCase())

/** Changes the fields that the mask names, as far as the caller may. */
export async function updateMemberFields(
  { db, bus, links, client }: { db: Db; bus: Bus; links: Links } & Pick<Runtime, 'client'>,
  request: UpdateMemberRequest,
  context: HandlerContext,
) {
  const reach = await reachMember(db, context, request.id, 'manage_members')
  const named = new Set(request.updateMask?.paths)
  const { set, inHotel, changes } = changesOf(request, named)
  const hotels = hotelsToSet(reach)
  await checkRights(db, context, reach, named, hotels)
  await inTransaction(db, async trx => {
    if (named.has('superior')) await checkSuperior(trx, reach, hotels, request.superior)
    if (inHotel.is_active === 0) await rest(trx, reach, hotels, eventActorOf(context))
    const before = await findById(trx, reach.member.id)
    const hotelsBefore = await hotelsOf(trx, reach.member.id)
    const isReaddressed = set.live_email !== undefined && set.live_email !== before?.live_email
    const by = { actor: eventActorOf(context), open: reach.tenants }
    const open = isReaddressed ? await endInvitations(trx, reach.member.id, reach.memberships, by) : []
    if (Object.keys(set).length > 0) await updateMember(trx, reach.member.id, set)
    if (Object.keys(inHotel).length > 0) await setInHotels(trx, reach, hotels, inHotel, context)
    const after = await findById(trx, reach.member.id)
    if (!before || !after) throw new NotFoundError('Member not found')
    await inviteAgain(trx, links, reach, open, after, context)
    const hotelsAfter = await hotelsOf(trx, reach.member.id)
    for (const one of placesOf(reach))
      await auditMember(trx, one ? [one] : [], {
        actor: eventActorOf(context),
        action: 'member.updated',
        entity: 'member',
        entityId: after.id,
        memberId: after.id,
        before: memberValues(before, ofPlace(hotelsBefore, one)),
        after: memberValues(after, ofPlace(hotelsAfter, one)),
      })
    // At home where the caller reaches them, first of all.
    const told = [...named].every(path => ofHotel.has(path))
      ? reach.memberships.filter(one => hotels.includes(one.ecosystem_id))
      : reach.memberships
    const home = told.filter(one => one.workspace_id === reach.tenants[0]?.workspaceId)
    await announceUpdate(trx, bus, after, [...new Set([...home, ...told])], eventActorOf(context), changes)
    // Last, so that a refusal there takes everything here back.
    if (isReaddressed && after.user_id)
      await client(AccountService).changeUserEmail({ userId: after.user_id, email: after.email })
  }).catch((error: unknown) => {
    throw isDuplicateKey(error, 'members_live_email') ? new ConflictError('The e-mail is taken') : error
  })
  return toMember((await reachMember(db, context, request.id, 'manage_members')).seen)
}

/** Where a change is recorded: in the workspaces that the caller sees, or beyond any when there is none. */
const placesOf = ({ seen }: Reach): (LiveMembership | undefined)[] =>
  seen.memberships.some(one => one.is_veiled === 0) ? seen.memberships.filter(one => one.is_veiled === 0) : [undefined]

const ofPlace = (hotels: HotelOf[], place: LiveMembership | undefined): HotelOf | undefined =>
  hotels.find(one => one.ecosystem_id === place?.ecosystem_id)

/** Sets what hotels say. Somebody who is activated by hand rests no more; the platform switches everywhere. */
async function setInHotels(
  trx: Trx,
  { member, isPlatform, tenants }: Reach,
  hotels: string[],
  set: HotelChange,
  context: HandlerContext,
): Promise<void> {
  const { is_active, ...rest } = set
  // What the platform switches off stays off for every hotel; the hotels' own word is kept for when it is on again.
  if (isPlatform && is_active !== undefined) await updateMember(trx, member.id, { is_active })
  const isSwitched = isPlatform && is_active !== undefined && (is_active === 0 || member.is_active === 0)
  const here = isSwitched ? rest : set
  for (const ecosystemId of hotels)
    if (Object.keys(here).length > 0) await setInHotel(trx, ecosystemId, member.id, here)
  const [tenant] = tenants
  if (is_active === 1 && !isPlatform && tenant) {
    await wake(trx, tenant, member.id, eventActorOf(context))
    await tellRestEnded(trx, member.id)
  }
}

/** Columns to set, and the same under the names that clients know. */
function changesOf(request: UpdateMemberRequest, named: Set<string>) {
  const values: Record<string, string | boolean | undefined> = {
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
  requireText({ firstName: request.firstName, lastName: request.lastName })
  const changed = Object.entries(values).filter(([path]) => named.has(path))
  for (const [path, value] of changed)
    if (value === undefined && required.has(path)) throw invalid(jsonName(path), 'cannot be cleared', 'required')
  const columns = changed.map(([path, value]) => [path, typeof value === 'boolean' ? Number(value) : (value ?? null)])
  const set = Object.fromEntries(columns.filter(([path]) => !ofHotel.has(String(path)))) as Parameters<
    typeof updateMember
  >[2]
  if (set.email) set.live_email = normalisedEmail(set.email)
  const inHotel: HotelChange = Object.fromEntries(
    columns
      .filter(([path]) => ofHotel.has(String(path)))
      .map(([path, value]) => [path === 'superior' ? 'superior_id' : path, value]),
  )
  return { set, inHotel, changes: Object.fromEntries(changed.map(([path, value]) => [jsonName(path), value ?? null])) }
}

async function checkRights(
  db: Db,
  context: HandlerContext,
  reach: Reach,
  named: Set<string>,
  hotels: string[],
): Promise<void> {
  const { isPlatform, isSelf, member, memberships, tenants } = reach
  if (isPlatform) return
  const denied = () => new ForbiddenError('Permission denied')
  if (named.has('is_super_admin')) throw denied()
  if (isSelf && [...named].every(path => personal.has(path))) return
  if (tenants.length === 0 || (member.is_super_admin === 1 && !isSelf)) throw denied()
  const accepted = memberships.filter(one => one.is_veiled === 0)
  const concerned = new Set<string>()
  if (!isSelf && [...named].some(path => personal.has(path))) {
    const home = accepted.find(one => one.ecosystem_id === member.home_ecosystem_id)
    if (!home) throw denied()
    concerned.add(home.ecosystem_id)
  }
  if (named.has('email')) {
    // The address opens every hotel of theirs: it takes the right in all of them.
    const held = new Set(tenants.map(one => one.workspaceId))
    if (accepted.length === 0 || !accepted.every(one => held.has(one.workspace_id))) throw denied()
    for (const one of accepted) concerned.add(one.ecosystem_id)
    // Owners and administrators may be in a hotel without being in one of its workspaces.
    for (const one of await hotelsOf(db, member.id)) if (one.status === 'active') concerned.add(one.ecosystem_id)
  }
  if ([...named].some(path => ofHotel.has(path))) for (const id of hotels) concerned.add(id)
  for (const ecosystemId of concerned) {
    const there = tenants.filter(one => one.ecosystemId === ecosystemId)
    if (there.length === 0) throw denied()
    await checkHierarchy(db, there, actingMember(context)?.memberId, member.id)
    checkRanks({ tenants: there, memberships })
  }
  // Nobody opens the dashboard to themselves.
  const own = tenants.filter(one => hotels.includes(one.ecosystemId))
  if (isSelf && named.has('dashboard_access') && !own.some(administers)) throw denied()
}

/**
 * In each hotel a superior shares a workspace with the member that the caller sees, and is not below them. One whom the
 * caller does not see was given by others of the hotel, and stays; one who is in none of its workspaces is none.
 */
async function checkSuperior(
  trx: Trx,
  { member, tenants, isPlatform }: Reach,
  hotels: string[],
  superior: string | undefined,
): Promise<void> {
  if (superior) await lockMembers(trx, [member.id, superior])
  for (const ecosystemId of hotels) {
    const there = tenants.filter(one => one.ecosystemId === ecosystemId)
    const workspaceIds = isPlatform ? undefined : there.map(one => one.workspaceId)
    const present = (await hotelOf(trx, ecosystemId, member.id))?.superior_id ?? ''
    const isThere = (ids: string[] | undefined) => visibleMember(trx, present, { ecosystemId, workspaceIds: ids })
    if (present && (await isThere(undefined)) && !(await isThere(workspaceIds)))
      throw new ForbiddenError('Permission denied')
    if (!superior) continue
    const shared = await Promise.all(there.map(tenant => isMember(trx, tenant, superior)))
    if (!shared.includes(true)) throw invalid('superior', 'is not a member of a shared workspace', 'unknown_member')
    if (superior === member.id || (await lockAbove(trx, ecosystemId, superior)).has(member.id))
      throw invalid('superior', 'stands below this member', 'cycle')
  }
}

/** Nobody rests who is the last administrator somewhere; open invitations would wake who does. */
async function rest(trx: Trx, reach: Reach, hotels: string[], actor: EventActor): Promise<void> {
  const there = reach.memberships.filter(one => hotels.includes(one.ecosystem_id))
  for (const tenant of there.map(tenantOf)) await keepAdministratorOf(trx, tenant, reach.member.id)
  await endInvitations(trx, reach.member.id, there, { actor, open: reach.tenants })
}

/**
 * Invites somebody without an account at their new address, with the rights of their membership. Where the caller could
 * not give these, whoever can is left to do it: an address of one's own would be a way to them.
 */
async function inviteAgain(
  trx: Trx,
  links: Links,
  reach: Reach,
  ended: LiveMembership[],
  person: Selectable<Members>,
  context: HandlerContext,
): Promise<void> {
  if (person.user_id) return
  for (const { workspace_id, workspace_role: role, permission_slugs } of ended) {
    const tenant = reach.tenants.find(one => one.workspaceId === workspace_id)
    const permissions = JSON.parse(permission_slugs) as string[]
    if (!tenant || !(await lets(checkGrant(trx, tenant, role, permissions)))) continue
    const canceller = { actor: eventActorOf(context), memberId: actingMember(context)?.memberId }
    if (!(await lets(checkReplaced(trx, tenant, person.email, canceller)))) continue
    await invite(trx, links, tenant, canceller.actor, {
      email: person.email,
      firstName: person.first_name,
      lastName: optional(person.last_name),
      invitedBy: canceller.memberId ?? null,
      role,
      permissions,
    })
  }
}

const tenantOf = ({ workspace_id, ecosystem_id }: LiveMembership): Tenant =>
  systemTenant(workspace_id, ecosystem_id, 'what a member is in every workspace changes with their record')
