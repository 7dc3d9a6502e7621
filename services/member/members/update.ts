import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import type { UpdateMemberRequest } from '../../../gen/platform/member/v1/members_pb.ts'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { systemTenant, type Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { optional } from '../../kernel/base/fields.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import type { EventActor } from '../../kernel/bus/events.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/rpc/host.ts'
import { auditMember } from '../audit/record.ts'
import { memberValues } from '../audit/values.ts'
import { lockAbove, visibleMember } from '../hierarchy/sql.ts'
import { keepAdministratorOf, keepOwnerOf } from '../memberships/administrators.ts'
import { wake } from '../memberships/join.ts'
import type { LiveMembership } from '../memberships/live.sql.ts'
import { hotelsToSet, type Reach, reachMember } from '../memberships/reach.ts'
import { isMember } from '../memberships/sql.ts'
import { checkReplaced, endInvitations } from '../onboarding/cancel.ts'
import { invite, type Links } from '../onboarding/invite.ts'
import { type HotelChange, type HotelOf, hotelOf, hotelsOf, setInHotel } from '../people/hotels.sql.ts'
import { publishRestEnded } from '../people/rests.ts'
import { findById, lockMembers, updateMember } from '../people/sql.ts'
import { checkGrant, lets } from '../rights/grants.ts'
import type { Db, Members, Trx } from '../tables.ts'
import { addressTaken, requestAddress } from './address.ts'
import { announceRevokedAdministration, announceUpdate } from './announce.ts'
import { toMember } from './message.ts'
import { checkReturn, checkUpdateRights, ofHotel } from './rights.ts'

const required = new Set(['first_name', 'last_name', 'email', 'dashboard_access', 'is_active', 'is_super_admin'])
const jsonName = (path: string) =>
  path === 'photo_url' ? path : path.replace(/_(.)/g, (_, c: string) => c.toUpperCase())

type Needs = { db: Db; bus: Bus; links: Links } & Pick<Runtime, 'client'>

/** Changes the fields that the mask names, if the caller may. */
export async function updateMemberFields(needs: Needs, request: UpdateMemberRequest, context: HandlerContext) {
  const { db, client } = needs
  const reach = await reachMember(db, context, request.id, 'manage_members')
  const paths = new Set(request.updateMask?.paths)
  paths.delete('current_password')
  const hotels = hotelsToSet(reach)
  const plan = { reach, hotels, paths, ...changesOf(request, paths) }
  await checkUpdateRights(db, context, reach, paths, hotels)
  if (plan.inHotel.is_active === 1) await checkReturn(db, context, reach, hotels)
  const pendingEmail = await requestAddress({ db, client }, reach, request, context)
  if (pendingEmail !== undefined) omitEmail(plan)
  if (paths.size > 0) await changeRecord(needs, plan, context)
  return { ...toMember((await reachMember(db, context, request.id, 'manage_members')).seen), pendingEmail }
}

type Plan = ReturnType<typeof changesOf> & { reach: Reach; hotels: string[]; paths: Set<string> }

/** The present address counts everywhere until the new one is confirmed [R57]. */
function omitEmail({ paths, set, changes }: Plan): void {
  paths.delete('email')
  delete set.email
  delete set.live_email
  delete changes['email']
}

async function changeRecord({ db, bus, links }: Needs, plan: Plan, context: HandlerContext): Promise<void> {
  const { reach, hotels, paths, set, inHotel, changes } = plan
  await inTransaction(db, async trx => {
    if (paths.has('superior')) await checkSuperior(trx, reach, hotels, inHotel.superior_id)
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
    // The event's home is the first membership, so the workspace through which the caller reaches the member comes
    // first.
    const affected = [...paths].every(path => ofHotel.has(path))
      ? reach.memberships.filter(one => hotels.includes(one.ecosystem_id))
      : reach.memberships
    const home = affected.filter(one => one.workspace_id === reach.tenants[0]?.workspaceId)
    await announceUpdate(trx, bus, after, [...new Set([...home, ...affected])], eventActorOf(context), changes)
    const wasAdministrator = before.is_super_admin === 1 || paths.has('is_super_admin')
    if (wasAdministrator && !(after.is_super_admin && after.is_active) && after.user_id)
      await announceRevokedAdministration(trx, after.id, after.user_id)
  }).catch((error: unknown) => {
    throw isDuplicateKey(error, 'members_live_email') ? addressTaken() : error
  })
}

/** Where a change is recorded: in the workspaces that the caller sees, or in none. */
const placesOf = ({ seen }: Reach): (LiveMembership | undefined)[] =>
  seen.memberships.some(one => one.is_veiled === 0) ? seen.memberships.filter(one => one.is_veiled === 0) : [undefined]

const ofPlace = (hotels: HotelOf[], place: LiveMembership | undefined): HotelOf | undefined =>
  hotels.find(one => one.ecosystem_id === place?.ecosystem_id)

/** Sets hotel values. Activating a member by hand ends their rest. The platform switches all hotels. */
async function setInHotels(
  trx: Trx,
  { member, isPlatform, tenants }: Reach,
  hotels: string[],
  set: HotelChange,
  context: HandlerContext,
): Promise<void> {
  const { is_active, ...rest } = set
  // A platform-wide deactivation applies to every hotel and keeps the hotels' own values for a later activation.
  if (isPlatform && is_active !== undefined) await updateMember(trx, member.id, { is_active })
  const isSwitched = isPlatform && is_active !== undefined && (is_active === 0 || member.is_active === 0)
  const here = isSwitched ? rest : set
  for (const ecosystemId of hotels)
    if (Object.keys(here).length > 0) await setInHotel(trx, ecosystemId, member.id, here)
  const [tenant] = tenants
  if (is_active === 1 && !isPlatform && tenant) {
    await wake(trx, tenant, member.id, eventActorOf(context))
    await publishRestEnded(trx, member.id)
  }
}

/** Columns to set, and the same under the API field names. */
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
  const changed = Object.entries(values).filter(([path]) => named.has(path))
  for (const [path, value] of changed)
    if (value === undefined && required.has(path)) throw invalid(jsonName(path), 'cannot be cleared', 'required')
  const columns = changed.map(([path, value]) => [path, typeof value === 'boolean' ? Number(value) : (value ?? null)])
  const set = Object.fromEntries(columns.filter(([path]) => !ofHotel.has(String(path)))) as Parameters<
    typeof updateMember
  >[2]
  if (set.email) set.live_email = normalizeEmail(set.email)
  const inHotel: HotelChange = Object.fromEntries(
    columns
      .filter(([path]) => ofHotel.has(String(path)))
      .map(([path, value]) => [path === 'superior' ? 'superior_id' : path, value]),
  )
  return { set, inHotel, changes: Object.fromEntries(changed.map(([path, value]) => [jsonName(path), value ?? null])) }
}

/**
 * Checks the superior in each hotel: they share one of the caller's workspaces with the member and aren't below them. A
 * present superior whom the caller can't see stays; one who is in no workspace of the hotel counts as none.
 */
async function checkSuperior(
  trx: Trx,
  { member, tenants, isPlatform }: Reach,
  hotels: string[],
  superior: string | null | undefined,
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
      throw invalid('superior', 'is a subordinate of this member', 'cycle')
  }
}

/**
 * Before a deactivation: refuses the last administrator of a workspace and the last owner, and cancels open
 * invitations, which would reactivate the member.
 */
async function rest(trx: Trx, reach: Reach, hotels: string[], actor: EventActor): Promise<void> {
  const there = reach.memberships.filter(one => hotels.includes(one.ecosystem_id))
  for (const tenant of there.map(tenantOf)) await keepAdministratorOf(trx, tenant, reach.member.id)
  if (!reach.isPlatform) await keepOwnerOf(trx, reach.member.id, hotels)
  await endInvitations(trx, reach.member.id, there, { actor, open: reach.tenants })
}

/**
 * Invites a member without an account at their new address, with the rights of their membership. Skips rights that the
 * caller couldn't grant: otherwise changing the address to one's own would be a way to obtain them.
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
  systemTenant(workspace_id, ecosystem_id, 'the change applies to all of the member’s workspaces')
