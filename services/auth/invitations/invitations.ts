import { type MessageInitShape } from '@bufbuild/protobuf'
import { type InvitationSchema, InvitationService } from '../../../gen/platform/auth/v1/invitations_pb.ts'
import type { Invitation as MemberInvitation } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { type Context, claimsOf, clientOf } from '../context.ts'
import { userMessage } from '../users/message.ts'
import { requireUser } from '../users/signed-in.ts'
import { acceptAs, invitationOf, shownStatus, signUp } from './sign-up.ts'

/** E-mail invitations of the modern version. The member service stores them. */
export const invitationService = (parts: Context) =>
  implement(InvitationService, {
    async sendInvitation(request, context) {
      const { user } = await requireUser(parts, context)
      const email = normalizeEmail(request.email)
      const { role, firstName, lastName } = request
      const newInvitation = { email, role, firstName, lastName, workspaceId: tenantOf(context).workspaceId }
      const { invitation, workspaceId, createdAt } = await parts.members.inviteForUser(user.id, newInvitation)
      const message = toInvitation(user.id, { ...invitation, workspaceRole: role, workspaceId, createdAt })
      return { invitation: { ...message, token: invitation.token } }
    },

    async acceptInvitation(request, context) {
      const { token, password, firstName, lastName } = request
      const client = clientOf(context)
      const { invitation, isMailed } = await invitationOf(parts, token)
      const invitee = { token, isMailed, firstName, lastName, client }
      const acceptOrSignUp = async () => {
        if (claimsOf(context)) return acceptAs(parts, context, invitation, invitee)
        if (password === undefined) throw invalid('password', 'is required', 'required')
        return signUp(parts, invitation, { ...invitee, password })
      }
      const { user, profile, pair } = await acceptOrSignUp()
      return { user: userMessage(user, profile), ...pair }
    },

    async previewInvitation({ token }) {
      const { invitation, workspaceName, inviterName } = await invitationOf(parts, token)
      const { email, workspaceRole: role, expiresAt, status, ecosystemId: hotelId } = invitation
      const hotel = await parts.hotels.getHotelSetting({ hotelId }, { timeoutMs: 2_000 }).catch(() => undefined)
      return {
        hotelName: hotel?.hotelName || workspaceName,
        workspaceName,
        inviterName,
        email,
        role,
        ...(expiresAt && { expiresAt }),
        status: shownStatus(status),
        logoUrl: hotel?.setting?.logoUrl,
        primaryColor: hotel?.setting?.primaryColor,
      }
    },

    async listInvitations(request, context) {
      const { user } = await requireUser(parts, context)
      const { page, limit } = request
      const status = request.status === 'revoked' ? 'cancelled' : request.status
      const { data, meta } = await parts.members.sentInvitations(user.id, { status, page, limit })
      return { data: data.map(one => toInvitation(user.id, one)), ...(meta && { meta }) }
    },

    async revokeInvitation({ id }, context) {
      const { user } = await requireUser(parts, context)
      await parts.members.cancelInvitation(user.id, id)
      return { message: 'Invitation revoked', id }
    },
  })

type StoredInvitation = Pick<
  MemberInvitation,
  'id' | 'email' | 'workspaceRole' | 'workspaceId' | 'expiresAt' | 'status' | 'createdAt'
>

/** An invitation of the member service, as this version shows it to its sender. */
const toInvitation = (userId: string, row: StoredInvitation): MessageInitShape<typeof InvitationSchema> => {
  const { id, email, workspaceRole, workspaceId, expiresAt, status, createdAt } = row
  return {
    id,
    invitedBy: userId,
    email,
    role: workspaceRole,
    workspaceId,
    ...(expiresAt && { expiresAt }),
    isUsed: status === 'accepted',
    status: shownStatus(status),
    ...(createdAt && { createdAt }),
  }
}
