import { type MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type InvitationSchema, InvitationService } from '../../../gen/platform/auth/v1/invitations_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import { ConflictError, GoneError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { normalEmail } from '../../kernel/base/text.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { askedPage, listMeta } from '../../kernel/rpc/paging.ts'
import { type Context, claimsOf, clientOf } from '../context.ts'
import { userMessage } from '../users/message.ts'
import { signedIn } from '../users/signed-in.ts'
import {
  type InvitationRow,
  listedInvitations,
  revokeInvitation,
  saveInvitation,
  sentInvitation,
} from './invitations.sql.ts'
import { acceptAs, invitationOf, signUp } from './sign-up.ts'

/** E-mail invitations of the modern version. The member service's onboarding record holds the invitation itself. */
export const invitationService = (parts: Context) =>
  implement(InvitationService, {
    async sendInvitation(request, context) {
      const { user } = await signedIn(parts, context)
      const email = normalEmail(request.email)
      const { role, firstName, lastName } = request
      const wanted = { email, role, firstName, lastName, workspaceId: tenantOf(context).workspaceId }
      const { invitation, workspaceId } = await parts.members.invite(user.id, wanted)
      const now = new Date()
      const row = await saveInvitation(parts.db, {
        id: newId(),
        onboarding_id: invitation.id,
        invited_by: user.id,
        email,
        token_digest: digest(invitation.token),
        role,
        workspace_id: workspaceId,
        expires_at: invitation.expiresAt ? timestampDate(invitation.expiresAt) : now,
        created_at: now,
      })
      return { invitation: invitationMessage(row, now) }
    },

    async acceptInvitation(request, context) {
      const { token, password, firstName, lastName } = request
      const client = clientOf(context)
      const invitation = await invitationOf(parts, token)
      const accept = async () => {
        if (claimsOf(context)) {
          const { user } = await signedIn(parts, context)
          return acceptAs(parts, user, invitation, { token, firstName, lastName, client })
        }
        if (password === undefined) throw invalid('password', 'is required', 'required')
        return signUp(parts, invitation, { token, password, firstName, lastName, client })
      }
      const { user, profile, pair } = await accept()
      return { user: userMessage(user, profile), ...pair }
    },

    async listInvitations(request, context) {
      const { user } = await signedIn(parts, context)
      const page = askedPage(request)
      const now = new Date()
      const filter = { userId: user.id, status: request.status, now }
      const { rows, total } = await listedInvitations(parts.db, filter, page)
      return { data: rows.map(row => invitationMessage(row, now)), meta: listMeta(total, page) }
    },

    async revokeInvitation({ id }, context) {
      const { user } = await signedIn(parts, context)
      const row = await sentInvitation(parts.db, user.id, id)
      if (!row) throw new NotFoundError('Invitation not found')
      const now = new Date()
      const status = statusOf(row, now)
      if (status === 'expired') throw new GoneError('Invitation expired')
      if (status !== 'pending') throw new ConflictError(`Invitation already ${status}`)
      await parts.members.cancel(user.id, row.onboarding_id)
      await revokeInvitation(parts.db, id, now)
      return { message: 'Invitation revoked', id }
    },
  })

function statusOf(row: InvitationRow, now: Date): 'accepted' | 'revoked' | 'expired' | 'pending' {
  if (row.is_used) return 'accepted'
  if (row.revoked_at) return 'revoked'
  return row.expires_at <= now ? 'expired' : 'pending'
}

const invitationMessage = (row: InvitationRow, now: Date): MessageInitShape<typeof InvitationSchema> => ({
  id: row.id,
  invitedBy: row.invited_by,
  email: row.email,
  role: row.role,
  workspaceId: row.workspace_id,
  expiresAt: timestampFromDate(row.expires_at),
  isUsed: row.is_used === 1,
  status: statusOf(row, now),
  createdAt: timestampFromDate(row.created_at),
})
