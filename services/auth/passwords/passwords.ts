import { PasswordService } from '../../../gen/platform/auth/v1/passwords_pb.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { digest, normalizePassword } from '../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { type Context, clientOf } from '../context.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { publishRevoked } from '../users/events.ts'
import { requireUser } from '../users/signed-in.ts'
import { changeChecked, setUsersActive, type UserRow, userByEmail, userById } from '../users/users.sql.ts'
import { provePassword, wrongPassword } from './check.ts'
import { sendResetLink } from './reset-links.ts'
import { openReset, useReset, voidUserResets } from './resets.sql.ts'
import { replacePassword, settledFlags } from './write.ts'

const badToken = () => invalid('token', 'is unknown, used or expired', 'token.valid')

/** Forgotten and changed passwords of the modern version. */
export const passwordService = (parts: Context) =>
  implement(PasswordService, {
    async forgotPassword(request, context) {
      const email = normalizeEmail(request.email)
      const user = await userByEmail(parts.db, email)
      const receiver = user?.is_active ? user : undefined
      await inTransaction(parts.db, trx =>
        sendResetLink(parts, trx, 'modern', { email, receiver, language: clientOf(context).language }),
      )
      return { message: 'If an account exists for this email, a reset link is on its way' }
    },

    async resetPassword(request) {
      const { db, hasher, limits, members } = parts
      assertSame(request, 'password', 'newPassword')
      const password = request.password ?? request.newPassword
      if (password === undefined) throw invalid('password', 'is required', 'required')
      // Errors use the field name that the client sent.
      const field = request.password === undefined ? 'newPassword' : 'password'
      const tokenDigest = digest(request.token)
      const resetRequest = await openReset(db, tokenDigest, ['modern', 'claim'], new Date())
      const user = resetRequest?.user_id ? await userById(db, resetRequest.user_id) : undefined
      // A link from before an address change may be in another person's mailbox.
      if (!resetRequest || !user || user.email !== resetRequest.email) throw badToken()
      // A user who rests with a deleted hotel becomes active again through another hotel's invitation.
      if (!user.is_active && resetRequest.kind !== 'claim') throw badToken()
      const passwordHash = await hasher.hash(hasher.accept(password, user.email ?? '', field))
      const isFirstUse = await inTransaction(db, async trx => {
        if (!(await useReset(trx, resetRequest.id, new Date()))) return false
        if (resetRequest.kind === 'claim') await setUsersActive(trx, [user.id], true, new Date())
        // The link was mailed to this address, which verifies it.
        await replacePassword(trx, user.id, { ...settledFlags, password_hash: passwordHash, email_verified: 1 })
        // The member's address changes with its verification; when that fails, the link can be opened again.
        if (user.email && !user.email_verified) await members.updateProfile(user.id, { email: user.email })
        return true
      })
      if (!isFirstUse) throw badToken()
      await limits.resetAccount(user.email ?? '')
      return { message: 'Password updated' }
    },

    async changePassword(request, context) {
      const { hasher } = parts
      const { user, sessionId } = await requireUser(parts, context)
      const email = user.email ?? ''
      assertSame(request, 'currentPassword', 'oldPassword')
      const currentPassword = request.currentPassword ?? request.oldPassword
      if (currentPassword === undefined) throw invalid('currentPassword', 'is required', 'required')
      // Errors use the field name that the client sent.
      const field = request.currentPassword === undefined ? 'oldPassword' : 'currentPassword'
      const newPassword = hasher.accept(request.newPassword, email, 'newPassword')
      await provePassword(parts, user, { [field]: currentPassword }, 'change it')
      if (normalizePassword(newPassword) === normalizePassword(currentPassword))
        throw invalid('newPassword', 'is the current password', 'password.new')
      const passwordHash = await hasher.hash(newPassword)
      if (!(await changePassword(parts, user, passwordHash, sessionId))) throw wrongPassword(field)
      return { message: 'Password changed' }
    },
  })

/**
 * Stores a user's new password, clears the flags and ends every session but the caller's. Does nothing and returns
 * false when the password changed since it was checked.
 */
export async function changePassword(
  { db }: Pick<Context, 'db'>,
  checked: Pick<UserRow, 'id' | 'password_hash'>,
  passwordHash: string,
  exceptSessionId: string | undefined,
): Promise<boolean> {
  const { id } = checked
  return inTransaction(db, async trx => {
    if (!(await changeChecked(trx, checked, { ...settledFlags, password_hash: passwordHash }))) return false
    await endSessions(trx, { userIds: [id], except: exceptSessionId }, new Date())
    await voidUserResets(trx, id)
    await publishRevoked(trx, id, exceptSessionId ? { exceptSessionId } : {})
    return true
  })
}

/** ValidationError when two names of one field have different values, since choosing either would be a guess. */
export function assertSame<Name extends string>(request: { [name in Name]?: unknown }, name: Name, alias: Name): void {
  if (request[name] === undefined || request[alias] === undefined || request[name] === request[alias]) return
  throw invalid(alias, `differs from ${name}`, 'same')
}
