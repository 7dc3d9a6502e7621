import type { MessageInitShape } from '@bufbuild/protobuf'
import { MemberOnboardingSchema } from '../../../gen/platform/events/v1/member_pb.ts'
import type { InvitationSchema, SentInvitationSchema } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { type Cipher, newToken } from '../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { type EventActor, type EventEnvelope, emit, emitAll } from '../../kernel/bus/events.ts'
import { audit } from '../audit/record.ts'
import { type Change, invitationValues } from '../audit/values.ts'
import { hotelLanguage } from '../memberships/languages.sql.ts'
import { findMembership } from '../memberships/sql.ts'
import { findByEmail } from '../people/sql.ts'
import type { Db, Trx } from '../tables.ts'
import { type Invitation, type NewInvitation, openInvitation, openInvitations } from './sql.ts'

/** Builds invitation links, and the cipher that hides them on the bus. */
export type Links = { linkOf(token: string): string; box: Cipher }

/** Opens or renews an invitation and sends its mail, in the running transaction. */
export async function invite(
  trx: Trx,
  links: Links,
  tenant: Tenant,
  actor: EventActor,
  invitation: Omit<NewInvitation, 'token'>,
): Promise<MessageInitShape<typeof SentInvitationSchema>> {
  const token = newToken()
  const row = await openInvitation(trx, tenant, { ...invitation, token })
  if (!row) throw new Error('an invitation that was just opened is gone')
  const link = links.linkOf(token)
  await announce(trx, links, tenant, actor, row, link)
  const { id, email, status, expires_at } = row
  return { id, email, token, status, expiresAt: timestamp(expires_at), invitationLink: link }
}

/** The same, but keeps an open invitation of that person, since its link may already be in the mail. */
export async function inviteOnce(
  trx: Trx,
  links: Links,
  tenant: Tenant,
  actor: EventActor,
  invitation: Omit<NewInvitation, 'token'>,
): Promise<void> {
  const token = newToken()
  const row = await openInvitation(trx, tenant, { ...invitation, token }, true)
  if (row) await announce(trx, links, tenant, actor, row, links.linkOf(token))
}

/** Opens or renews many invitations, each as `invite` does. */
export async function inviteAll(
  trx: Trx,
  links: Links,
  tenant: Tenant,
  actor: EventActor,
  invitations: Omit<NewInvitation, 'token'>[],
): Promise<void> {
  if (invitations.length === 0) return
  const tokens = invitations.map(() => newToken())
  const wanted = invitations.map((one, at) => ({ ...one, token: tokens[at] ?? '' }))
  const tokenOf = new Map(wanted.map(({ email, token }) => [normalizeEmail(email), token]))
  const rows = await openInvitations(trx, tenant, wanted)
  const language = await hotelLanguage(trx, tenant)
  const linkOf = ({ email }: Invitation) => links.linkOf(tokenOf.get(normalizeEmail(email)) ?? '')
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

async function announce(trx: Trx, links: Links, tenant: Tenant, actor: EventActor, row: Invitation, link: string) {
  await audit(trx, tenant, invitationOpened(actor, row))
  const { payload, envelope } = mail(links, tenant, actor, row, link, await hotelLanguage(trx, tenant))
  await emit(trx, MemberOnboardingSchema, payload, envelope)
}

const invitationOpened = (actor: EventActor, row: Invitation): Change => ({
  actor,
  action: 'invitation.opened',
  entity: 'invitation',
  entityId: row.id,
  after: invitationValues(row),
})

/** The event on which the notification service sends the mail. */
function mail(links: Links, tenant: Tenant, actor: EventActor, row: Invitation, link: string, language?: string) {
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
    sealedLink: links.box.seal(link),
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

type Wanted = { email: string; role: string; permissions: string[] }

/**
 * Refuses to invite a member who has joined. A member without an account may be invited again, but only with the rights
 * of their membership: an invitation never changes existing rights.
 */
export async function checkInvitee(db: Db, tenant: Tenant, { email, role, permissions }: Wanted): Promise<void> {
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
export const toInvitation = (row: Invitation & { is_over: number }): MessageInitShape<typeof InvitationSchema> => ({
  id: row.id,
  email: row.email,
  firstName: optional(row.first_name),
  lastName: optional(row.last_name),
  invitedBy: optional(row.invited_by),
  refusal: optional(row.refusal),
  workspaceId: row.workspace_id,
  ecosystemId: row.ecosystem_id,
  workspaceRole: row.workspace_role,
  permissions: JSON.parse(row.permissions) as string[],
  status: row.status === 'pending' && row.is_over === 1 ? 'expired' : row.status,
  acceptedAt: timestamp(row.accepted_at),
  expiresAt: timestamp(row.expires_at),
  ...(row.invitation_data ? { invitationData: JSON.parse(row.invitation_data) } : {}),
  createdAt: timestamp(row.created_at),
  updatedAt: timestamp(row.updated_at),
})
