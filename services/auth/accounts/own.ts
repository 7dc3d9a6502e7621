import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { ConflictError, invalid, UnauthorizedError } from '../../kernel/base/errors.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { moveAccount } from '../addresses/change.ts'
import { type Context, claimsOf, clientOf } from '../context.ts'
import { revokeCredentialsOf } from '../credentials/credentials.sql.ts'
import { assertInvited, invitationOf, signUp } from '../invitations/sign-up.ts'
import type { NameChange } from '../members.ts'
import { provePassword } from '../passwords/check.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { publishDeleted } from '../users/events.ts'
import { userMessage } from '../users/message.ts'
import { requireUser } from '../users/signed-in.ts'
import { softDeleteUsers, updateUser, userById } from '../users/users.sql.ts'

const addressChangesPerHour = 10

/** The caller's own account, and sign-up with an invitation. */
export const userService = (parts: Context) =>
  implement(UserService, {
    async getMe(_request, context) {
      const userId = claimsOf(context)?.userId
      // Runs concurrently with the account query. If both fail, the account's error is thrown.
      const profile = userId === undefined ? undefined : parts.members.profileOfUser(userId)
      profile?.catch(() => undefined)
      const { user } = await requireUser(parts, context)
      return { user: userMessage(user, await profile) }
    },

    async updateMe(request, context) {
      const { user } = await requireUser(parts, context)
      const { db, limits, members } = parts
      const fields = new Set(request.updateMask?.paths)
      const { email: newEmail, currentPassword, firstName, lastName, photoUrl } = request
      const profile = await members.profileOfUser(user.id)
      const change: NameChange = {}
      if (fields.has('first_name')) change.first_name = acceptName('firstName', firstName, profile !== undefined)
      if (fields.has('last_name')) change.last_name = acceptName('lastName', lastName, profile !== undefined)
      if (fields.has('photo_url')) change.photo_url = photoUrl ?? null
      const isChanged = Object.keys(change).length > 0
      if (fields.has('email') && !newEmail) throw invalid('email', 'cannot be cleared', 'required')
      const email = fields.has('email') && newEmail ? normalizeEmail(newEmail) : user.email
      const isMoving = email !== user.email
      if (isMoving) {
        await provePassword(parts, user, { currentPassword }, 'change the email')
        // Each change mails the new address, and tells whether an account has it.
        const limit = { policy: 'address-change', value: user.id, perHour: addressChangesPerHour, isCallersOwn: true }
        await limits.countSubject(context.responseHeader, limit)
      }
      if (fields.size === 0) return { user: userMessage(user, profile) }
      await inTransaction(db, async trx => {
        await updateUser(trx, user.id, {
          ...(change.first_name === undefined ? {} : { first_name: change.first_name || null }),
          ...(change.last_name === undefined ? {} : { last_name: change.last_name || null }),
          ...(change.photo_url === undefined ? {} : { photo_url: change.photo_url }),
        })
        if (isMoving && email) await moveAccount(parts, trx, { user, email, language: clientOf(context).language })
        // Last, so that a refusal there rolls everything back.
        if (profile && isChanged) await members.updateProfile(user.id, change)
      })
      const updatedUser = (await userById(db, user.id)) ?? user
      return { user: userMessage(updatedUser, profile && (await members.profileOfUser(user.id))) }
    },

    async deleteMe({ password }, context) {
      const { user } = await requireUser(parts, context)
      await provePassword(parts, user, { password }, 'delete your own account')
      const now = new Date()
      await inTransaction(parts.db, async trx => {
        if (!(await softDeleteUsers(trx, [user.id], now))) throw new UnauthorizedError()
        await endSessions(trx, { userIds: [user.id] }, now)
        await revokeCredentialsOf(trx, [user.id])
        await publishDeleted(trx, user.id, user.email ?? '')
        // Last, so that a refusal rolls everything back, and an announced departure can fail only at the commit.
        const orphanedWorkspaces = await parts.members.announceDeparture(user.id)
        if (orphanedWorkspaces.length > 0)
          throw new ConflictError(`Appoint another administrator first: ${orphanedWorkspaces.join(', ')}`)
      })
      return { message: 'Account deleted', id: user.id }
    },

    async signUp(request, context) {
      const client = clientOf(context)
      const { token, password, firstName, lastName } = request
      const { invitation, isMailed } = await invitationOf(parts, token)
      if (claimsOf(context)) assertInvited((await requireUser(parts, context)).user, invitation)
      const account = await signUp(parts, invitation, { token, isMailed, password, firstName, lastName, client })
      return { user: userMessage(account.user, account.profile), ...account.pair }
    },
  })

/** A changed name; a member's name must not be empty. */
function acceptName(path: string, value: string | undefined, isMember: boolean): string {
  const name = value?.trim() ?? ''
  if (isMember && !name) throw invalid(path, 'cannot be cleared', 'required')
  return name
}
