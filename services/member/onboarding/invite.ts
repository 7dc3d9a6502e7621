import type { MessageInitShape } from '@bufbuild/protobuf'
import { MemberOnboardingSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import type { InvitationSchema, SentInvitationSchema } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { messageFields, optional, timestamp } from '../../kernel/base/fields.ts'
import { newToken } from '../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { type EventActor, type EventEnvelope, emit, emitAll } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { audit } from '../audit/record.ts'
import { type AuditChange, invitationValues } from '../audit/values.ts'
import type { Context, Links } from '../context.ts'
import { findByEmail } from '../people/sql.ts'
import { checkGrant } from '../rights/grants.ts'
import type { Db, Trx } from '../tables.ts'
import { hotelLanguage } from '../workspace-memberships/languages.sql.ts'
import { findMembership } from '../workspace-memberships/sql.ts'
import { checkReplacement, type Inviter } from './cancel.ts'
import {
  findInvitationDigest,
  type InvitationRow,
  type NewInvitation,
  upsertInvitation,
  upsertInvitations,
} from './sql.ts'

/** What an invitation grants, and to whom. */
export type InvitationRequest = Omit<NewInvitation, 'token' | 'invitedBy'>

/**
 * Opens or renews an invitation and sends its mail, in the running transaction. ForbiddenError when the caller may not
 * replace the open one.
 */
export async function invite(
  trx: Trx,
  links: Links,
  tenant: Tenant,
  caller: Inviter,
  request: InvitationRequest,
): Promise<{ invitation: MessageInitShape<typeof SentInvitationSchema>; row: InvitationRow }> {
  await checkReplacement(trx, tenant, request.email, caller)
  const token = newToken()
  const row = await upsertInvitation(trx, tenant, { ...request, invitedBy: caller.memberId ?? null, token })
  if (!row) throw new Error('an invitation that was just opened is gone')
  await publishInvitation(trx, links, tenant, caller.actor, row, mailedLink(links, token))
  const invitationLink = links.linkOf(token)
  const { id, email, status, expires_at } = row
  return { invitation: { id, email, token, status, expiresAt: timestamp(expires_at), invitationLink }, row }
}

/** Like `invite`, after checking the caller's right to grant. */
export async function inviteChecked(
  { db, links }: Pick<Context, 'db' | 'links'>,
  tenant: Tenant,
  caller: Inviter,
  request: InvitationRequest,
) {
  const expectedTokenDigest = await findInvitationDigest(db, tenant.workspaceId, request.email)
  await checkGrant(db, tenant, request.role, request.permissions)
  await checkInvitee(db, tenant, request)
  return inTransaction(db, trx => invite(trx, links, tenant, caller, { ...request, expectedTokenDigest }))
}

/** Like `invite`, but keeps an open invitation of that person, since its link may already be in the mail. */
export async function inviteOnce(
  trx: Trx,
  links: Links,
  tenant: Tenant,
  caller: Inviter,
  request: InvitationRequest,
): Promise<void> {
  const token = newToken()
  const row = await upsertInvitation(
    trx,
    tenant,
    { ...request, invitedBy: caller.memberId ?? null, token },
    { keepOpen: true },
  )
  if (row) await publishInvitation(trx, links, tenant, caller.actor, row, mailedLink(links, token))
}

/** Opens or renews many invitations, each as `invite` does. */
export async function inviteAll(
  trx: Trx,
  links: Links,
  tenant: Tenant,
  { actor, memberId }: Inviter,
  requests: InvitationRequest[],
): Promise<void> {
  if (requests.length === 0) return
  const invitations = requests.map(one => ({ ...one, invitedBy: memberId ?? null, token: newToken() }))
  const tokenOf = new Map(invitations.map(({ email, token }) => [normalizeEmail(email), token]))
  const rows = await upsertInvitations(trx, tenant, invitations)
  const language = await hotelLanguage(trx, tenant)
  const linkOf = ({ email }: InvitationRow) => mailedLink(links, tokenOf.get(normalizeEmail(email)) ?? '')
  await audit(
    trx,
    tenant,
    rows.map(row => invitationOpened(actor, row)),
  )
  await emitAll(
    trx,
    MemberOnboardingSchema,
    rows.map(row => mail(links, tenant, actor, row, linkOf(row), language)),
  )
}

const mailedLink = ({ linkOf, tokens }: Links, token: string): string => linkOf(tokens.mailedToken(token))

async function publishInvitation(
  trx: Trx,
  links: Links,
  tenant: Tenant,
  actor: EventActor,
  row: InvitationRow,
  link: string,
) {
  await audit(trx, tenant, invitationOpened(actor, row))
  const { payload, envelope } = mail(links, tenant, actor, row, link, await hotelLanguage(trx, tenant))
  await emit(trx, MemberOnboardingSchema, payload, envelope)
}

const invitationOpened = (actor: EventActor, row: InvitationRow): AuditChange => ({
  actor,
  action: 'invitation.opened',
  entityId: row.id,
  after: invitationValues(row),
})

/** The event on which the notification service sends the mail. */
function mail(links: Links, tenant: Tenant, actor: EventActor, row: InvitationRow, link: string, language?: string) {
  const { workspaceId, workspaceName, ecosystemId } = tenant
  const payload: MessageInitShape<typeof MemberOnboardingSchema> = {
    id: row.id,
    email: row.email,
    firstName: optional(row.first_name),
    lastName: optional(row.last_name),
    workspaceId,
    ecosystemId,
    workspaceRole: row.workspace_role,
    language,
    sealedLink: links.cipher.seal(link),
    expiresAt: timestamp(row.expires_at),
  }
  const envelope: EventEnvelope = {
    workspaceId,
    workspaceName,
    ecosystemId,
    channels: ['email'],
    actor,
    receiverIds: [],
  }
  return { payload, envelope }
}

/**
 * Refuses to invite a member who has joined. A member without an account may be invited again, but only with the rights
 * of their membership: an invitation never changes existing rights.
 */
async function checkInvitee(db: Db, tenant: Tenant, { email, role, permissions }: InvitationRequest): Promise<void> {
  const member = await findByEmail(db, email)
  const membership = member && (await findMembership(db, tenant, member.id))
  if (!membership || membership.left_at !== null) return
  if (membership.status === 'suspended' || (member.user_id && membership.status !== 'pending'))
    throw new ConflictError('This person is already a member of the workspace')
  const slugs = new Set(JSON.parse(membership.permission_slugs) as string[])
  const isSame = role === membership.workspace_role && new Set(permissions).size === slugs.size
  if (!isSame || !permissions.every(slug => slugs.has(slug)))
    throw new ConflictError(
      `This person is already a member, as ${membership.workspace_role}: change the membership, or invite them in that role`,
    )
}

/** Maps an invitation to its response, with whether it has expired. The token is never returned again. */
export const toInvitation = (
  row: InvitationRow & { is_expired: number },
): MessageInitShape<typeof InvitationSchema> => ({
  ...messageFields(row),
  permissions: JSON.parse(row.permissions) as string[],
  status: row.status === 'pending' && row.is_expired === 1 ? 'expired' : row.status,
  invitationData: row.invitation_data ? JSON.parse(row.invitation_data) : undefined,
})
