import { AuthenticationSignedInSchema } from '../../../gen/platform/events/v1/authentication_pb.ts'
import { SocketRelaySchema } from '../../../gen/platform/events/v1/socket_pb.ts'
import { type LoginRequest, SignInService } from '../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { inTransaction } from '../../kernel/database.ts'
import { emit } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import { implement } from '../../kernel/implement.ts'
import { digest } from '../../kernel/secrets.ts'
import { administratorByEmail, administratorById } from '../administrators.sql.ts'
import { exchange, readRefreshToken } from '../exchange.ts'
import { assertUncommon } from '../hashing.ts'
import type { Profile } from '../members.ts'
import { type Client, clientOf } from '../parts.ts'
import { checkPassword, checkPasswordOf } from '../password-check.ts'
import { openReset, useReset } from '../password-resets.sql.ts'
import { settled } from '../passwords.ts'
import { presentedToken } from '../refresh-tokens.sql.ts'
import { endSessions, recentAppSessions } from '../sessions.sql.ts'
import { aroundAccount } from '../user-events.ts'
import { updateUser, type UserRow, userById } from '../users.sql.ts'
import { failure } from './codes.ts'
import type { LegacyParts } from './legacy-parts.ts'
import { legacyEnds, newLegacyRefreshToken, openLegacySession } from './pairs.ts'
import { administratorClaims, legacyClaims, profileMessage } from './profile-message.ts'
import { logUser } from './user-logs.ts'

/** A device that did nothing for so long does not keep another one out, in ms (decision 12). */
const inProgressMs = 15 * 60_000

/** Sign-in and tokens of the legacy version. */
export const legacySignInService = (parts: LegacyParts) =>
  implement(SignInService, {
    async login(request, context) {
      const client = clientOf(context)
      const { email, password } = required(request)
      const user = await checkPassword(parts, { email, password, client })
      if (!user) {
        await logUser(parts.db, { level: 'warn', message: 'sign-in refused', meta: { type: request.type } })
        throw failure('MSG_601')
      }
      const member = await parts.members.ofUser(user.id)
      if (!member) throw failure('MSG_602')
      if (request.type === 'mobile' && !member.mobileAccess) throw failure('MSG_603')
      if (request.type === 'dashboard' && !member.dashboardAccess) throw failure('MSG_604')
      const pair = await enter(parts, { user, member, appType: request.type, client })
      return {
        ...pair,
        isTmpPassword: user.is_tmp_password === 1,
        isFirstLogin: user.is_first_login === 1,
        requirePasswordChange: [user.is_tmp_password, user.is_first_login, user.is_forced].includes(1),
        user: profileMessage(user, member),
      }
    },

    async refresh({ refreshToken: presented }) {
      const { db, limits } = parts
      const stored = await presentedToken(db, digest(presented))
      await limits.subject('refresh', stored?.session_id ?? presented)
      const kind = stored?.kind === 'administrator' ? 'administrator' : 'legacy'
      const row = await readRefreshToken(db, kind, presented)
      if (!row) throw failure('MSG_601')
      const claims = await claimsFor(parts, row)
      const next = newLegacyRefreshToken(parts, String(claims.userId))
      const ends = legacyEnds(parts.config, new Date())
      if (!(await exchange(db, row, { kind, presented, next, ...ends }))) throw failure('MSG_601')
      return {
        accessToken: parts.tokens.issue(claims, parts.config.LEGACY_ACCESS_TOKEN_SECONDS),
        refreshToken: next,
      }
    },

    async loginAsAdmin(request, context) {
      const { db, config, tokens } = parts
      const client = clientOf(context)
      const presented = { ...required(request), client }
      const admin = await checkPasswordOf(parts, presented, email => administratorByEmail(db, email))
      if (!admin) throw failure('MSG_601')
      const opened = await inTransaction(db, async trx => {
        await emit(trx, AuthenticationSignedInSchema, { id: admin.id, appType: 'admin' }, aroundAccount)
        return openLegacySession(parts, trx, { owner: { administratorId: admin.id }, appType: null, client })
      })
      const claims = administratorClaims(admin, opened.sessionId)
      return {
        accessToken: tokens.issue(claims, config.LEGACY_ACCESS_TOKEN_SECONDS),
        refreshToken: opened.refreshToken,
        admin: { id: admin.id, email: admin.email },
      }
    },

    async registerTemp({ token, password }, context) {
      const { db, limits, hasher, createBox, members } = parts
      await limits.subject('register-temp', token)
      const now = new Date()
      const request =
        createBox.open(token) === undefined ? undefined : await openReset(db, digest(token), 'create', now)
      const user = request?.user_id ? await userById(db, request.user_id) : undefined
      if (!request || !user?.is_active) throw failure('MSG_601')
      const member = await members.ofUser(user.id)
      if (!member) throw failure('MSG_602')
      assertUncommon(password, user.email ?? '')
      const password_hash = await hasher.hash(password)
      const isFirst = await inTransaction(db, async trx => {
        if (!(await useReset(trx, request.id, now))) return false
        await updateUser(trx, user.id, { ...settled, password_hash, email_verified: 1 })
        return true
      })
      if (!isFirst) throw failure('MSG_601')
      const settledUser = (await userById(db, user.id)) ?? user
      const pair = await enter(parts, { user: settledUser, member, appType: null, client: clientOf(context) })
      return { success: true, ...pair, user: profileMessage(settledUser, member) }
    },
  })

/** E-mail and password, or MSG_600. */
function required({ email, password }: Pick<LoginRequest, 'email' | 'password'>) {
  if (!email?.trim() || !password) throw failure('MSG_600')
  return { email, password }
}

type Entry = { user: UserRow; member: Profile; appType: string | null; client: Client }

/** Opens the session of a sign-in that was checked. MSG_624 while another device is in use. */
async function enter(parts: LegacyParts, { user, member, appType, client }: Entry) {
  const { db, config, members, tokens } = parts
  const { memberId } = member
  const now = new Date()
  const recent = await recentAppSessions(db, memberId, new Date(now.getTime() - inProgressMs), now)
  if (recent.some(session => session.user_agent !== client.userAgent)) throw failure('MSG_624')
  if (!member.isRegistered) await members.markRegistered(memberId)
  const { sessionId, refreshToken } = await inTransaction(db, async trx => {
    // The same device signs in anew: its session before is replaced.
    await endSessions(trx, { sessionIds: recent.map(session => session.id) }, now)
    await updateUser(trx, user.id, { last_login_at: now, sign_up_pending: 0 })
    await emit(trx, AuthenticationSignedInSchema, { id: user.id, memberId, appType: appType ?? '' }, aroundAccount)
    await emit(trx, SocketRelaySchema, signedInFrame(memberId, appType, now), {
      ...aroundAccount,
      receiverIds: [memberId],
    })
    await logUser(trx, { level: 'info', message: 'signed in', userId: user.id, meta: { type: appType } })
    return openLegacySession(parts, trx, { owner: { userId: user.id, memberId }, appType, client })
  })
  const claims = legacyClaims(user, member, sessionId)
  return { accessToken: tokens.issue(claims, config.LEGACY_ACCESS_TOKEN_SECONDS), refreshToken }
}

/** Tells the member's other open apps of the sign-in. */
const signedInFrame = (memberId: string, appType: string | null, at: Date) => ({
  id: newId(),
  event: 'auth:signed-in',
  rooms: [`member:${memberId}`],
  data: { appType, timestamp: at.toISOString() },
})

/** The claims of a refreshed token, from the database as it is now. MSG_601 for who may not go on. */
async function claimsFor({ db, members }: LegacyParts, row: NonNullable<Awaited<ReturnType<typeof presentedToken>>>) {
  if (row.administrator_id) {
    const admin = await administratorById(db, row.administrator_id)
    if (!admin) throw failure('MSG_601')
    return administratorClaims(admin, row.session_id)
  }
  const user = row.user_id ? await userById(db, row.user_id) : undefined
  if (!user?.is_active) throw failure('MSG_601')
  const member = await members.ofUser(user.id)
  if (!member) throw failure('MSG_602')
  return legacyClaims(user, member, row.session_id)
}
