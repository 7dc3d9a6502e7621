import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { ConflictError, UnauthorizedError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { newToken } from '../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { confirmAddress } from '../addresses/confirm.ts'
import { sendVerification } from '../addresses/verifications.ts'
import { lifetimes } from '../config.ts'
import { type Context, claimsOf, clientOf } from '../context.ts'
import { badCredentials, passwordFlags, withPassword } from '../passwords/check.ts'
import { checkExchange, exchange, loadCountedToken } from '../sessions/exchange.ts'
import { issuePair, openModernSession } from '../sessions/pairs.ts'
import { endSessions, ownerOf } from '../sessions/sessions.sql.ts'
import { publishCreated, publishRevoked } from '../users/events.ts'
import { userMessage } from '../users/message.ts'
import { changeChecked, insertUser, type UserRow, userById } from '../users/users.sql.ts'

const badRefreshToken = () => new UnauthorizedError('Invalid refresh token')

/** Registration, sign-in and tokens of the modern version. */
export const signInService = (parts: Context) =>
  implement(SignInService, {
    async register(request, context) {
      const { db, hasher } = parts
      const email = normalizeEmail(request.email)
      const client = clientOf(context)
      const passwordHash = await hasher.hash(hasher.accept(request.password, email))
      const id = newId()
      const now = new Date()
      const { firstName, lastName } = request
      return inTransaction(db, async trx => {
        try {
          await insertUser(trx, {
            id,
            email,
            password_hash: passwordHash,
            first_name: firstName?.trim() || null,
            last_name: lastName?.trim() || null,
            last_login_at: now,
            created_at: now,
            updated_at: now,
          })
        } catch (error) {
          if (isDuplicateKey(error)) throw new ConflictError('An account with this email already exists')
          throw error
        }
        await sendVerification(parts, trx, { id, email, firstName, language: client.language })
        await publishCreated(trx, id, email)
        const user = (await userById(trx, id)) as UserRow
        const pair = await openModernSession(parts, trx, { user, profile: undefined, client })
        return { user: userMessage(user, undefined), ...pair }
      })
    },

    async login({ email, password }, context) {
      const client = clientOf(context)
      const answer = await withPassword(parts, { email, password, client }, async (user, attempt) => {
        const profile = await parts.members.profileOfUser(user.id)
        const now = new Date()
        const change = { last_login_at: now, sign_up_pending: 0, is_first_login: 0, updated_at: now }
        const pair = await inTransaction(parts.db, async trx => {
          // The password or the account may have changed since the check.
          if (!(await changeChecked(trx, user, change))) throw badCredentials()
          const newPair = await openModernSession(parts, trx, { user, profile, client })
          await attempt.countIn(trx)
          return newPair
        })
        const message = userMessage({ ...user, last_login_at: now, updated_at: now }, profile)
        return { ...pair, user: message, ...passwordFlags(user) }
      })
      if (!answer) throw badCredentials()
      return answer
    },

    async refreshToken({ refreshToken: presentedToken }, context) {
      const { db, members } = parts
      const row = await loadCountedToken(parts, presentedToken, context)
      if (!row?.user_id || !(await checkExchange(parts, 'modern', row))) throw badRefreshToken()
      const user = await userById(db, row.user_id)
      if (!user?.is_active) throw badRefreshToken()
      // Before the token is consumed: while the member service is down, the client keeps a valid token.
      const profile = await members.profileOfUser(user.id)
      const nextToken = newToken()
      const now = Date.now()
      const expiryTimes = {
        expiresAt: new Date(now + lifetimes.refreshToken),
        accessEndsAt: new Date(now + parts.config.ACCESS_TOKEN_SECONDS * 1000),
      }
      const request = { kind: 'modern', presentedToken, nextToken, ...expiryTimes } as const
      if (!(await exchange(parts, row, request))) throw badRefreshToken()
      return issuePair(parts, { user, profile, sessionId: row.session_id, refreshToken: nextToken })
    },

    async logout({ refreshToken }, context) {
      const claims = claimsOf(context)
      if (refreshToken === undefined && !claims) throw new UnauthorizedError()
      const token = refreshToken === undefined ? undefined : await loadCountedToken(parts, refreshToken, context)
      const tokenOwner = token && ownerOf(token)
      const owner = claims?.userId ?? tokenOwner
      const sessionIds = new Set([claims?.sessionId, tokenOwner === owner ? token?.session_id : undefined])
      await inTransaction(parts.db, async trx => {
        for (const sessionId of sessionIds) {
          if (!owner || !sessionId) continue
          const { sessions } = await endSessions(trx, { sessionIds: [sessionId] }, new Date())
          if (sessions > 0) await publishRevoked(trx, owner, { sessionId })
        }
      })
      return { message: 'Signed out' }
    },

    async verifyEmail(request, context) {
      await confirmAddress(parts, request, context)
      return { message: 'Email verified', emailVerified: true }
    },
  })
