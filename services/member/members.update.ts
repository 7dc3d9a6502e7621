import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import type { UpdateMemberRequest } from '../../gen/platform/member/v1/members_pb.ts'
import { actingMember, eventActorOf } from '../kernel/access.ts'
import type { Bus } from '../kernel/bus.ts'
import { inTransaction, isDuplicateKey } from '../kernel/database.ts'
import { ConflictError, ForbiddenError, invalid, NotFoundError } from '../kernel/errors.ts'
import type { EventActor } from '../kernel/events.ts'
import { optional } from '../kernel/fields.ts'
import type { Runtime } from '../kernel/host.ts'
import { systemTenant, type Tenant } from '../kernel/tenant.ts'
import { requireText } from '../kernel/text.ts'
import { checkRanks, keepAdministratorOf } from './administrators.ts'
import { audit, auditMember } from './audit.record.ts'
import { memberValues } from './audit.values.ts'
import { checkGrant, lets } from './grants.ts'
import { checkReplaced } from './invite.cancel.ts'
import { checkHierarchy } from './hierarchy.ts'
import { lockAbove } from './hierarchy.sql.ts'
import { invitationCancelled, invite, type Links } from './invite.ts'
import { cancelInvitationOf } from './leave.sql.ts'
import { announceUpdate } from './members.announce.ts'
import { toMember, visibleMemberships } from './members.message.ts'
import { visibleMember } from './members.read.sql.ts'
import { findById, lockMembers, updateMember } from './members.sql.ts'
import type { LiveMembership } from './memberships.live.sql.ts'
import { administers } from './permissions.rules.ts'
import { type Reach, reachMember } from './reach.ts'
import { type Db, normalisedEmail, type Trx } from './rows.ts'
import type { Members } from './tables.ts'
import { isMember } from './workspace-members.sql.ts'

/** What people may change of themselves. */
const personal = new Set(['first_name', 'last_name', 'phone', 'photo_url'])
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
  const { set, changes } = changesOf(request, named)
  await checkRights(db, context, reach, named)
  await inTransaction(db, async trx => {
    if (named.has('superior')) await checkSuperior(trx, reach, request.superior)
    if (set.is_active === 0) await rest(trx, reach, eventActorOf(context))
    const before = await findById(trx, reach.member.id)
    const isReaddressed = set.live_email !== undefined && set.live_email !== before?.live_email
    const open = isReaddressed ? await endInvitations(trx, reach, eventActorOf(context)) : []
    if (Object.keys(set).length > 0) await updateMember(trx, reach.member.id, set)
    const after = await findById(trx, reach.member.id)
    if (!before || !after) throw new NotFoundError('Member not found')
    await inviteAgain(trx, links, reach, open, after, context)
    await auditMember(trx, visibleMemberships(reach), {
      actor: eventActorOf(context),
      action: 'member.updated',
      entity: 'member',
      entityId: after.id,
      memberId: after.id,
      before: memberValues(before),
      after: memberValues(after),
    })
    // At home where the caller reaches them, first of all.
    const home = reach.memberships.filter(one => one.workspace_id === reach.tenants[0]?.workspaceId)
    await announceUpdate(trx, bus, after, [...new Set([...home, ...reach.memberships])], eventActorOf(context), changes)
    // Last, so that a refusal there takes everything here back.
    if (isReaddressed && after.user_id)
      await client(AccountService).changeUserEmail({ userId: after.user_id, email: after.email })
  }).catch((error: unknown) => {
    throw isDuplicateKey(error, 'members_live_email') ? new ConflictError('The e-mail is taken') : error
  })
  const member = await findById(db, request.id)
  return member && toMember(member, visibleMemberships(reach))
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
  const columns = changed.map(([path, value]) => [
    path === 'superior' ? 'superior_id' : path,
    typeof value === 'boolean' ? Number(value) : (value ?? null),
  ])
  const set = Object.fromEntries(columns) as Parameters<typeof updateMember>[2]
  if (set.email) set.live_email = normalisedEmail(set.email)
  return { set, changes: Object.fromEntries(changed.map(([path, value]) => [jsonName(path), value ?? null])) }
}

async function checkRights(db: Db, context: HandlerContext, reach: Reach, named: Set<string>): Promise<void> {
  if (reach.isPlatform) return
  const denied = () => new ForbiddenError('Permission denied')
  if (named.has('is_super_admin')) throw denied()
  if (reach.isSelf && [...named].every(path => personal.has(path))) return
  if (reach.tenants.length === 0 || (reach.member.is_super_admin === 1 && !reach.isSelf)) throw denied()
  const held = new Set(reach.tenants.map(one => one.workspaceId))
  // The record is the same in every tenant: it takes the right in all of them. A superior is checked by itself.
  const isShared = !reach.memberships.every(one => held.has(one.workspace_id))
  if (isShared && [...named].some(path => path !== 'superior')) throw denied()
  await checkHierarchy(db, reach.tenants, actingMember(context)?.memberId, reach.member.id)
  checkRanks(reach)
  // Nobody opens the dashboard to themselves.
  if (reach.isSelf && named.has('dashboard_access') && !reach.tenants.some(administers)) throw denied()
}

/**
 * A superior shares a workspace with the member that the caller sees, and is not below them. One whom the caller does
 * not see was given by another tenant, and stays.
 */
async function checkSuperior(trx: Trx, reach: Reach, superior: string | undefined): Promise<void> {
  const { member, tenants, visible } = reach
  if (member.superior_id && !(await visibleMember(trx, member.superior_id, visible)))
    throw new ForbiddenError('Permission denied')
  if (!superior) return
  await lockMembers(trx, [member.id, superior])
  const shared = await Promise.all(tenants.map(tenant => isMember(trx, tenant, superior)))
  if (!shared.includes(true)) throw invalid('superior', 'is not a member of a shared workspace', 'unknown_member')
  if (superior === member.id || (await lockAbove(trx, superior)).has(member.id))
    throw invalid('superior', 'stands below this member', 'cycle')
}

/** Nobody rests who is the last administrator somewhere; open invitations would wake who does. */
async function rest(trx: Trx, reach: Reach, actor: EventActor): Promise<void> {
  for (const tenant of reach.memberships.map(tenantOf)) await keepAdministratorOf(trx, tenant, reach.member.id)
  await endInvitations(trx, reach, actor)
}

/** Cancels what is open to a member at their present address. @returns the memberships that it was for */
async function endInvitations(trx: Trx, { member, memberships }: Reach, actor: EventActor): Promise<LiveMembership[]> {
  const ended: LiveMembership[] = []
  for (const one of memberships) {
    const invitations = await cancelInvitationOf(trx, tenantOf(one), member.id)
    for (const { id } of invitations)
      await audit(trx, tenantOf(one), { ...invitationCancelled(actor, id), memberId: member.id })
    if (invitations.length > 0) ended.push(one)
  }
  return ended
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
    const taker = { actor: eventActorOf(context), memberId: actingMember(context)?.memberId }
    if (!(await lets(checkReplaced(trx, tenant, person.email, taker)))) continue
    await invite(trx, links, tenant, taker.actor, {
      email: person.email,
      firstName: person.first_name,
      lastName: optional(person.last_name),
      invitedBy: taker.memberId ?? null,
      role,
      permissions,
    })
  }
}

const tenantOf = ({ workspace_id, ecosystem_id }: LiveMembership): Tenant =>
  systemTenant(workspace_id, ecosystem_id, 'what a member is in every workspace changes with their record')
