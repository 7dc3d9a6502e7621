import type { MessageInitShape } from '@bufbuild/protobuf'
import { MemberOnboardingSchema } from '../../gen/platform/events/v1/member_pb.ts'
import type { InvitationSchema, SentInvitationSchema } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { emit, type EventActor } from '../kernel/events.ts'
import { type Cipher, newToken } from '../kernel/secrets.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { audit, type Change } from './audit.record.ts'
import { invitationValues } from './audit.values.ts'
import { type Invitation, type NewInvitation, openInvitation } from './onboarding.sql.ts'
import { optional, timestamp, type Trx } from './rows.ts'

/** Where invitation links lead, and what hides them on the bus. */
export type Links = { linkOf(token: string): string; box: Cipher }

/** Opens (or renews) an invitation and has its mail sent, in the running transaction. */
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

/** The same, but an open invitation of that person stays: its link may be on its way already. */
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

async function announce(trx: Trx, links: Links, tenant: Tenant, actor: EventActor, row: Invitation, link: string) {
  const { workspaceId, workspaceName, ecosystemId } = tenant
  await audit(trx, tenant, {
    actor,
    action: 'invitation.opened',
    entity: 'invitation',
    entityId: row.id,
    after: invitationValues(row),
  })
  await emit(
    trx,
    MemberOnboardingSchema,
    {
      id: row.id,
      email: row.email,
      firstName: optional(row.first_name),
      lastName: optional(row.last_name),
      workspaceId,
      ecosystemId,
      workspaceRole: row.workspace_role,
      sealedLink: links.box.seal(link),
      expiresAt: timestamp(row.expires_at),
    },
    { workspaceId, workspaceName, ecosystemId, channels: ['email'], actor, receiverIds: [] },
  )
}

/** A cancelled invitation as it is recorded. */
export const cancelled = (actor: EventActor, entityId: string): Change => ({
  actor,
  action: 'invitation.cancelled',
  entity: 'invitation',
  entityId,
  before: { status: 'pending' },
  after: { status: 'cancelled' },
})

/** An invitation as answered; its token is never shown again. */
export const toInvitation = (
  row: Invitation,
  isOver = row.expires_at <= new Date(),
): MessageInitShape<typeof InvitationSchema> => ({
  id: row.id,
  email: row.email,
  firstName: optional(row.first_name),
  lastName: optional(row.last_name),
  invitedBy: optional(row.invited_by),
  workspaceId: row.workspace_id,
  ecosystemId: row.ecosystem_id,
  workspaceRole: row.workspace_role,
  permissions: JSON.parse(row.permissions) as string[],
  status: row.status === 'pending' && isOver ? 'expired' : row.status,
  acceptedAt: timestamp(row.accepted_at),
  expiresAt: timestamp(row.expires_at),
  ...(row.invitation_data ? { invitationData: JSON.parse(row.invitation_data) } : {}),
  createdAt: timestamp(row.created_at),
  updatedAt: timestamp(row.updated_at),
})
