import { type MessageInitShape } from '@bufbuild/protobuf'
import { type InvitationSchema, InvitationService } from '../../../gen/platform/auth/v1/invitations_pb.ts'
import type { Invitation as MemberInvitation } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { type Context, claimsOf, clientOf } from '../context.ts'
import { userMessage } from '../users/message.ts'
import { signedIn } from '../users/signed-in.ts'
import { acceptAs, invitationOf, signUp } from './sign-up.ts'

/** E-mail invitations of the modern version. The member service stores them. */
export const invitationService = (parts: Context) =>
  implement(InvitationService, {
    async sendInvitation(request, context) {
      const { user } = await signedIn(parts, context)
      const email = normalizeEmail(request.email)
      const { role, firstName, lastName } = request
      const wanted = { email, role, firstName, lastName, workspaceId: tenantOf(context).workspaceId }
      const { invitation, workspaceId, createdAt } = await parts.members.invite(user.id, wanted)
      const sent = toInvitation(user.id, { ...invitation, workspaceRole: role, workspaceId, createdAt })
      return { invitation: { ...sent, token: invitation.token } }
    },

    async acceptInvitation(request, context) {
      const { token, password, firstName, lastName } = request
      const client = clientOf(context)
      const invitation = await invitationOf(parts, token)
      const accept = async () => {
        if (claimsOf(context)) return acceptAs(parts, context, invitation, { token, firstName, lastName, client })
        if (password === undefined) throw invalid('password', 'is required', 'required')
        return signUp(parts, invitation, { token, password, firstName, lastName, client })
      }
      const { user, profile, pair } = await accept()
      return { user: userMessage(user, profile), ...pair }
    },

    async listInvitations(request, context) {
      const { user } = await signedIn(parts, context)
      const { page, limit } = request
      const status = request.status === 'revoked' ? 'cancelled' : request.status
      const { data, meta } = await parts.members.sentInvitations(user.id, { status, page, limit })
      return { data: data.map(one => toInvitation(user.id, one)), ...(meta && { meta }) }
    },

    async revokeInvitation({ id }, context) {
      const { user } = await signedIn(parts, context)
      await parts.members.cancel(user.id, id)
      return { message: 'Invitation revoked', id }
    },
  })

type Sent = Pick<
  MemberInvitation,
  'id' | 'email' | 'workspaceRole' | 'workspaceId' | 'expiresAt' | 'status' | 'createdAt'
>

/** An invitation of the member service, as this version shows it to its sender. */
const toInvitation = (userId: string, sent: Sent): MessageInitShape<typeof InvitationSchema> => {
  const { id, email, workspaceRole, workspaceId, expiresAt, status, createdAt } = sent
  return {
    id,
    invitedBy: userId,
    email,
    role: workspaceRole,
    workspaceId,
    ...(expiresAt && { expiresAt }),
    isUsed: status === 'accepted',
    status: status === 'cancelled' ? 'revoked' : status,
    ...(createdAt && { createdAt }),
  }
}
