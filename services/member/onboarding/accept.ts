import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, GoneError, NotFoundError, UnauthorizedError } from '../../kernel/base/errors.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import { type AuditChange, memberValues } from '../audit/values.ts'
import type { Context } from '../context.ts'
import { endRest } from '../hotel-memberships/rests.sql.ts'
import {
  acceptHotelInvitation,
  findHotelMembership,
  hotelMembershipsOf,
  joinHotel,
  updateHotelMembership,
} from '../hotel-memberships/sql.ts'
import {
  findByEmail,
  findById,
  findByUser,
  insertMember,
  type MemberRow,
  retryOnTakenEmail,
  updateMember,
} from '../people/sql.ts'
import { invalidateRights, toActor } from '../rights/announce.ts'
import type { Trx } from '../tables.ts'
import { auditRights } from '../workspace-memberships/hotel-rights.ts'
import { grantOf } from '../workspace-memberships/join.sql.ts'
import { joinWorkspace, register } from '../workspace-memberships/join.ts'
import { setMissingLanguage } from '../workspace-memberships/languages.sql.ts'
import { liveMemberships } from '../workspace-memberships/live.sql.ts'
import { regainedRights } from '../workspace-memberships/ranks.ts'
import { requireOpen } from '../workspace-memberships/workspace.sql.ts'
import { findRefusal, mayGetHotelRights } from './inviter.ts'
import { type InvitationRow, lockByToken, writeInvitation } from './sql.ts'

/** Who accepts an invitation: an account and its present address, or neither for a call without a bearer token. */
export type Acceptor = {
  userId?: string
  email?: string
  firstName?: string | undefined
  lastName?: string | undefined
  language?: string | undefined
  /** Whether the token is that of the mailed link, which proves who owns the mailbox. */
  isMailed?: boolean
}

type LockedInvitation = NonNullable<Awaited<ReturnType<typeof lockByToken>>>

type Accepted = { invitation: InvitationRow & { is_expired: number }; member: MemberRow }

/**
 * Accepts an invitation: the one use case behind sign-up and every acceptance route. The stored grants
 * apply. Concurrent calls make one member, and a repeated call by the same person gets the same response.
 */
export async function acceptInvitation(
  { db, bus, client }: Pick<Context, 'db' | 'bus' | 'client'>,
  token: string,
  acceptor: Acceptor,
): Promise<Accepted> {
  const accept = async (trx: Trx) => {
    const invitation = await lockByToken(trx, token)
    if (!invitation?.workspace_name) throw new NotFoundError('Invitation not found')
    if (acceptor.userId) checkAddress(acceptor.email, invitation)
    const linkedMember = acceptor.userId ? await findByUser(trx, acceptor.userId) : undefined
    const invitee = linkedMember ?? (await findByEmail(trx, invitation.email))
    if (invitation.status === 'accepted' && acceptor.userId && invitee?.user_id === acceptor.userId)
      return { invitation, member: invitee }
    if (invitation.status === 'expired') throw new GoneError('The invitation has expired')
    if (invitation.status !== 'pending') throw new ConflictError(`The invitation is ${invitation.status}`)
    if (invitation.is_expired === 1) return 'The invitation has expired'
    requireOpen(invitation)
    const refusal = await findRefusal(trx, invitation)
    if (refusal) {
      await writeInvitation(trx, invitation, { refusal })
      return 'The invitation is no longer valid: ask the hotel for a new one'
    }
    // The sender has the token too, and the record opens more than this invitation grants [R20].
    const { userId: acceptorId, isMailed } = acceptor
    if (acceptorId && !isMailed && invitee && !invitee.user_id && (await opensMore(trx, invitee, invitation)))
      await requireVerified(client, acceptorId, invitation)
    const userId = acceptor.userId ?? (await findInvitee(trx, client, invitee, invitation))
    const member = await findOrCreateMember(trx, invitation, invitee, { ...acceptor, userId })
    const acceptedInvitation = await joinAsInvited(trx, bus, invitation, member, invitee)
    // After joining, which sets the hotel's language: that one takes precedence.
    await setMissingLanguage(trx, [member.id], acceptor.language)
    return { invitation: acceptedInvitation, member }
  }
  const acceptance = await retryOnTakenEmail(() => inTransaction(db, accept))
  if (typeof acceptance !== 'string') return acceptance
  throw new GoneError(acceptance)
}

/**
 * The account that accepts without a bearer token. The hotel that invites has the token too, and would see the name,
 * phone and picture of somebody known elsewhere [D423].
 */
async function findInvitee(
  trx: Trx,
  client: Context['client'],
  invitee: MemberRow | undefined,
  invitation: InvitationRow,
): Promise<string> {
  const { email, ecosystem_id } = invitation
  const isElsewhere = invitee && (await belongsElsewhere(trx, invitee, invitation))
  const hotel = invitee && (await findHotelMembership(trx, ecosystem_id, invitee.id))
  if (invitee?.user_id && !isElsewhere && hotel?.status === 'active') return invitee.user_id
  if (invitee?.user_id && isElsewhere) throw signInFirst()
  const { userId, isVerified } = await client(AccountService).findInvitedAccount({ email, ecosystemId: ecosystem_id })
  if (!userId) throw new ConflictError('Sign up first: no account exists for this address')
  if (isElsewhere) throw signInFirst()
  if (!isVerified) throw signInFirst('open the link mailed to it, or sign in')
  return userId
}

const signInFirst = (hint = 'sign in') =>
  new UnauthorizedError(`An account with this email already exists: ${hint}, then accept the invitation again`)

async function findOrCreateMember(
  trx: Trx,
  invitation: InvitationRow,
  existing: MemberRow | undefined,
  { userId, firstName, lastName }: Acceptor & { userId: string },
): Promise<MemberRow> {
  if (existing?.user_id && existing.user_id !== userId)
    throw new ConflictError('The address belongs to another account')
  if (!existing)
    return insertMember(trx, {
      email: invitation.email,
      firstName: firstName || invitation.first_name || nameFrom(invitation.email),
      lastName: lastName || invitation.last_name || '',
      homeId: invitation.ecosystem_id,
      ...(userId ? { userId } : {}),
    })
  // A member who is invited again after they left, or after their hotel was deleted, becomes active again.
  const comesBack = existing.is_active === 0 && (existing.user_id === null || (await endRest(trx, existing.id)))
  if (comesBack) await updateMember(trx, existing.id, { is_active: 1 })
  if (!userId || existing.user_id) return existing
  const names = { first_name: firstName || existing.first_name, last_name: lastName || existing.last_name }
  await updateMember(trx, existing.id, { user_id: userId, ...names })
  return { ...existing, user_id: userId, ...names }
}

const nameFrom = (email: string): string => email.split('@')[0] ?? email

async function joinAsInvited(
  trx: Trx,
  bus: Bus,
  invitation: LockedInvitation,
  member: MemberRow,
  existing: MemberRow | undefined,
): Promise<LockedInvitation> {
  const { workspace_id, ecosystem_id, workspace_name, workspace_role, permissions } = invitation
  const before = existing && (await findHotelMembership(trx, ecosystem_id, member.id))
  const openedTenant = systemTenant(workspace_id, ecosystem_id, 'the token of the invitation opens the workspace')
  const tenant = { ...openedTenant, workspaceName: workspace_name ?? '' }
  const newRights = before?.status === 'pending' ? before : await regainedRights(trx, ecosystem_id, member.id)
  if (newRights && !(await mayGetHotelRights(trx, invitation.email, newRights))) {
    const noRights = { role: 'member', permissions: '[]' } as const
    await updateHotelMembership(trx, ecosystem_id, member.id, { ...noRights, is_owner: 0 })
    await auditRights(trx, toActor(member), newRights, { ...newRights, ...noRights })
  }
  if (existing) await acceptHotelInvitation(trx, ecosystem_id, member.id)
  else await joinHotel(trx, ecosystem_id, member.id, 'member')
  // Drops the cached answer that this account belongs to no member.
  invalidateRights(trx, bus, { memberIds: [member.id] })
  const grant = grantOf(workspace_role, JSON.parse(permissions) as string[])
  await register(trx, tenant, member, await joinWorkspace(trx, bus, tenant, member, grant))
  // A repeated call gets the same response from the stored row.
  const set = { status: 'accepted' as const, open_key: null, accepted_at: invitation.now, updated_at: invitation.now }
  await writeInvitation(trx, invitation, set)
  const author = { actor: toActor(member), memberId: member.id }
  const now = existing ? await findById(trx, member.id) : member
  const person: AuditChange = {
    ...author,
    action: existing ? 'member.updated' : 'member.created',
    before: existing && memberValues(existing, before),
    // Accepting leaves the other values of the hotel as they are.
    after: now && memberValues(now, before),
  }
  // This hotel must not learn what the member was before they accepted.
  const isOurs = !existing || before?.status === 'active'
  await audit(trx, tenant, [
    ...(isOurs ? [person] : []),
    {
      ...author,
      action: 'invitation.accepted',
      entityId: invitation.id,
      before: { status: 'pending' },
      after: { status: 'accepted' },
    },
  ])
  return { ...invitation, ...set }
}

type Place = { workspace_id: string; ecosystem_id: string }

/** Whether a member without an account has more than the workspace of one invitation, pending memberships included. */
async function opensMore(trx: Trx, { id, is_super_admin }: MemberRow, invitation: Place): Promise<boolean> {
  if (is_super_admin === 1) return true
  const workspaces = await liveMemberships(trx, [id])
  if (workspaces.some(one => one.workspace_id !== invitation.workspace_id)) return true
  const ecosystems = await hotelMembershipsOf(trx, id)
  const isHere = workspaces.length > 0
  return ecosystems.some(one => one.ecosystem_id !== invitation.ecosystem_id || (one.role !== 'member' && !isHere))
}

/** Whether a member has accepted another hotel than that of an invitation, or administers the platform. */
async function belongsElsewhere(trx: Trx, { id, is_super_admin }: MemberRow, invitation: Place): Promise<boolean> {
  if (is_super_admin === 1) return true
  const hotels = await hotelMembershipsOf(trx, id)
  return hotels.some(one => one.ecosystem_id !== invitation.ecosystem_id && one.status === 'active')
}

/** ForbiddenError unless the invitation is for this address. */
function checkAddress(address: string | undefined, { email }: Pick<InvitationRow, 'email'>): void {
  if (normalizeEmail(address ?? '') !== normalizeEmail(email))
    throw new ForbiddenError('The invitation is for another e-mail address')
}

/** ConflictError unless the account has verified the invited address; ForbiddenError for another address. */
async function requireVerified(client: Context['client'], userId: string, invitation: InvitationRow): Promise<void> {
  const { email, emailVerified } = await client(AccountService).getAccountState({ userId })
  checkAddress(email, invitation)
  if (!emailVerified)
    throw new ConflictError('Confirm the address first, with the link sent to it, then accept the invitation again')
}
