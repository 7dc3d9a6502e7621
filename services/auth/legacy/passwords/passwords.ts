import { randomInt } from 'node:crypto'
import type { HandlerContext } from '@connectrpc/connect'
import type { Transaction } from 'kysely'
import { AuthenticationPasswordChangedSchema } from '../../../../gen/platform/events/v1/authentication_pb.ts'
import { PasswordService } from '../../../../gen/platform/legacyauth/v1/passwords_pb.ts'
import { isPlatformCaller } from '../../../kernel/access/access.ts'
import { ValidationError } from '../../../kernel/base/errors.ts'
import { normalizePassword } from '../../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../../kernel/base/text.ts'
import { emit } from '../../../kernel/bus/events.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import { implement } from '../../../kernel/rpc/implement.ts'
import { claimsOf } from '../../context.ts'
import { assertReadable } from '../../hashing/hashing.ts'
import { assertSame, changePassword } from '../../passwords/passwords.ts'
import { useReset } from '../../passwords/resets.sql.ts'
import { replacePassword } from '../../passwords/write.ts'
import type { AuthTables } from '../../tables.ts'
import { aroundAccount, auditAdministration } from '../../users/events.ts'
import { requireUser } from '../../users/signed-in.ts'
import { userByEmail, userById } from '../../users/users.sql.ts'
import { type FailureCode, failure, isPresent, isRequired, successCodes } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'
import { proveReset, requestReset, tokenOf } from './resets.ts'

/** Forgotten, changed and temporary passwords of the legacy version. */
export const legacyPasswordService = (parts: LegacyContext) =>
  implement(PasswordService, {
    async sendResetEmail({ email }) {
      await requestReset(parts, email)
      return { success: true, msg: successCodes.codeSent }
    },

    async requestReset({ email }, context) {
      const { code, token } = await requestReset(parts, email)
      if (parts.config.isProduction && !(await isTrusted(parts, context))) return { email }
      return { email, generatedcode: code, tokenFrontRoute: token }
    },

    async checkResetRequest(request) {
      const { code, token } = proofIn(request)
      const resetRequest = await proveReset(parts, request.email, { code, token })
      return { success: true, data: { hashedToken: tokenOf(parts, resetRequest), couponCode: code } }
    },

    async checkResetCode(request) {
      const { code, token } = proofIn(request)
      if (code === undefined) throw failure('MSG_606', [isRequired('code')])
      const resetRequest = await proveReset(parts, request.email, { code, token })
      return { success: true, data: { hashedToken: tokenOf(parts, resetRequest), couponCode: code } }
    },

    async resetPassword(request) {
      const { db, hasher, limits } = parts
      const { code, token } = proofIn(request)
      assertSame(request, 'newPassword', 'password')
      const password = request.newPassword ?? request.password
      const fields = { code, hashedToken: token, newPassword: password }
      const missingFields = Object.entries(fields).flatMap(([name, value]) => (value ? [] : [name]))
      if (!code || !token || !password) throw failure('MSG_606', missingFields.map(isRequired))
      const provenReset = await proveReset(parts, request.email, { code, token })
      const user = provenReset.user_id ? await userById(db, provenReset.user_id) : undefined
      if (!user?.is_active || user.email !== provenReset.email) throw failure('MSG_606')
      // Errors use the field name that the client sent.
      const field = request.newPassword ? 'newPassword' : 'password'
      const acceptedPassword = withCode('MSG_606', () => hasher.accept(password, user.email ?? '', field))
      const password_hash = await hasher.hash(acceptedPassword)
      const isFirst = await inTransaction(db, async trx => {
        if (!(await useReset(trx, provenReset.id, new Date()))) return false
        await replacePassword(trx, user.id, { password_hash, is_tmp_password: 0, sign_up_pending: 0 })
        await publishPasswordChanged(trx, user.id, 'reset')
        await logUser(trx, { level: 'info', message: 'password reset', userId: user.id })
        return true
      })
      if (!isFirst) throw failure('MSG_606')
      await limits.resetAccount(user.email ?? '')
      return { success: true, msg: successCodes.passwordChanged }
    },

    async changePassword({ oldPassword, newPassword }, context) {
      const { hasher, limits } = parts
      const { user, sessionId } = await requireUser(parts, context)
      const email = user.email ?? ''
      assertReadable(oldPassword, 'oldPassword')
      if (!(await limits.checkPassword(email, () => hasher.matches(oldPassword, user.password_hash))))
        throw failure('MSG_622')
      if (normalizePassword(newPassword) === normalizePassword(oldPassword))
        throw failure('MSG_621', [isPresent('newPassword')])
      const acceptedPassword = withCode('MSG_621', () => hasher.accept(newPassword, email, 'newPassword'))
      const passwordHash = await hasher.hash(acceptedPassword)
      await inTransaction(parts.db, async trx => {
        if (!(await changePassword({ db: trx }, user, passwordHash, sessionId))) throw failure('MSG_622')
        await publishPasswordChanged(trx, user.id, 'change')
        await logUser(trx, { level: 'info', message: 'password changed', userId: user.id })
      })
      const flags = { isTmpPassword: false, isFirstLogin: false, isForced: false }
      return { success: true, msg: successCodes.passwordChanged, user: flags }
    },

    async changePasswordByAdmin({ email }, context) {
      const { db, hasher, limits, mails } = parts
      const user = await userByEmail(db, normalizeEmail(email))
      if (!user?.email) throw failure('MSG_623')
      const temporaryPassword = hasher.accept(newTemporaryPassword(), user.email)
      const password_hash = await hasher.hash(temporaryPassword)
      const to = user.email
      await inTransaction(db, async trx => {
        await replacePassword(trx, user.id, { password_hash, is_tmp_password: 1, sign_up_pending: 0 })
        await publishPasswordChanged(trx, user.id, 'admin', true)
        const variables = {
          temporaryPassword,
          password: temporaryPassword,
          email: to,
          firstName: user.first_name ?? '',
        }
        await mails.queue(trx, { slug: 'temporary_password', to, variables })
        await logUser(trx, { level: 'info', message: 'temporary password set', userId: user.id })
        await auditAdministration(trx, context, { userId: user.id, action: 'password_reset' })
      })
      await limits.resetAccount(to)
      return { success: true, temporaryPassword, message: 'A temporary password was set and sent by e-mail' }
    },
  })

type ProofNames = Partial<Record<'code' | 'couponCode' | 'hashedToken' | 'token', string | undefined>>

/** Code and token of a request; each has two field names. ValidationError when the two values differ. */
function proofIn(request: ProofNames): { code: string | undefined; token: string | undefined } {
  assertSame(request, 'code', 'couponCode')
  assertSame(request, 'hashedToken', 'token')
  return { code: request.code ?? request.couponCode, token: request.hashedToken ?? request.token }
}

/** Services, legacy Administrators and administrators' accounts get code and token in the response. */
async function isTrusted(parts: LegacyContext, context: HandlerContext): Promise<boolean> {
  if (isPlatformCaller(context)) return true
  if (!claimsOf(context)) return false
  const { user } = await requireUser(parts, context)
  return user.is_admin === 1
}

/** The result of a check, whose ValidationError gets this message code. */
function withCode<T>(msg: FailureCode, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw failure(msg, error.info.violations)
  }
}

/** Without letters and digits that are easily confused. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'

const newTemporaryPassword = (): string =>
  Array.from({ length: 14 }, () => alphabet[randomInt(alphabet.length)]).join('')

/** Publishes how a password was replaced. */
export const publishPasswordChanged = (
  trx: Transaction<AuthTables>,
  id: string,
  reason: 'change' | 'reset' | 'admin' | 'register',
  isTmpPassword = false,
) => emit(trx, AuthenticationPasswordChangedSchema, { id, reason, isTmpPassword }, aroundAccount)
