import type { Kysely, Transaction } from 'kysely'
import { LRUCache } from 'lru-cache'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { invalid, NotFoundError, UnauthorizedError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { sameSecret } from '../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { beginAddressChange } from '../addresses/change.ts'
import { findPendingAddress } from '../addresses/verifications.ts'
import type { Context } from '../context.ts'
import { credentialByKey, grantedPermissions, liveCredential } from '../credentials/credentials.sql.ts'
import { confirmOwner } from '../invitations/sign-up.ts'
import { provePassword, wrongPassword } from '../passwords/check.ts'
import { endSessions, findLiveSessions, sessionById, touchSession } from '../sessions/sessions.sql.ts'
import type { AuthTables } from '../tables.ts'
import { administratorById } from '../users/administrators.sql.ts'
import { publishAllRevoked, publishRevoked } from '../users/events.ts'
import { setUsersActive, updateUser, updateUsers, userAndSession, userByEmail, userById } from '../users/users.sql.ts'
import { ensureAdministratorAccount } from './bootstrap.ts'
import { eraseUsers } from './erasure.ts'

/** Accounts, for other services of the platform. */
export const accountService = (parts: Context, recordUse = useRecorder(parts.db)) =>
  implement(AccountService, {
    async ensureAdministrator({ email, password }) {
      const account = await ensureAdministratorAccount(parts, { email, password })
      await parts.members.ensureAdministrator({ id: account.userId, email: normalizeEmail(email) })
      return account
    },

    async getAccountState({ userId, sessionId, isLegacy }) {
      const { db, config } = parts
      // After the legacy lifetime is shortened, older tokens expire too; 5 s allow for clock differences.
      const oldestLegacy = Date.now() - (config.LEGACY_ACCESS_TOKEN_SECONDS + 5) * 1000
      const user = await userAndSession(db, userId, sessionId)
      // Services validate every session in use here, so this call records the use.
      if (sessionId && user?.session_active === 1) await recordUse(sessionId)
      if (user)
        return {
          userId,
          email: user.email ?? '',
          firstName: optional(user.first_name),
          lastName: optional(user.last_name),
          isActive: user.is_active === 1,
          isAdmin: user.is_admin === 1,
          isAdministrator: false,
          emailVerified: user.email_verified === 1,
          tokensValidFrom: timestamp(
            (isLegacy ?? user.session_app_type)
              ? new Date(Math.max(oldestLegacy, Number(user.tokens_valid_from)))
              : user.tokens_valid_from,
          ),
          sessionActive: sessionId === undefined || user.session_active === 1,
        }
      const administrator = await administratorById(db, userId)
      if (!administrator) throw new NotFoundError('User not found')
      const session = sessionId ? await sessionById(db, sessionId) : undefined
      const sessionActive = sessionId === undefined || (session?.is_active === 1 && session.administrator_id === userId)
      const { email } = administrator
      const tokensValidFrom = timestamp(new Date(oldestLegacy))
      return { userId, email, isActive: true, isAdmin: true, isAdministrator: true, sessionActive, tokensValidFrom }
    },

    async findLiveSessions({ ids }) {
      return { ids: await findLiveSessions(parts.db, ids, new Date()) }
    },

    async findInvitedAccount({ email, ecosystemId }) {
      const user = await userByEmail(parts.db, normalizeEmail(email))
      if (!user) return {}
      return { userId: user.id, isVerified: await confirmOwner(parts, user, { ecosystemId, language: undefined }) }
    },

    async deactivateUsers({ userIds, reason }) {
      const now = new Date()
      const deactivatedIds = await inTransaction(parts.db, async trx => {
        const ids = await setUsersActive(trx, userIds, false, now)
        if (ids.length === 0) return ids
        await endSessions(trx, { userIds: ids }, now)
        await updateUsers(trx, ids, { tokens_valid_from: now })
        await publishAllRevoked(trx, ids)
        return ids
      })
      parts.log.info({ users: deactivatedIds.length, reason }, 'accounts deactivated')
      return { userIds: deactivatedIds }
    },

    async reactivateUsers({ userIds }) {
      return { userIds: await inTransaction(parts.db, trx => setUsersActive(trx, userIds, true, new Date())) }
    },

    async eraseUsers({ userIds }) {
      await eraseUsers(parts.db, userIds)
      return {}
    },

    async changeUserEmail({ asker, ...change }) {
      if (!asker) throw invalid('asker', 'is required', 'required')
      await beginAddressChange(parts, { ...change, asker })
      return {}
    },

    async getPendingEmail({ userId }) {
      const email = await findPendingAddress(parts.db, userId)
      return email === undefined ? {} : { email }
    },

    async checkPassword({ userId, password }) {
      const user = await userById(parts.db, userId)
      if (!user?.is_active) throw wrongPassword('password')
      await provePassword(parts, user, { password }, 'erase your own account')
      return {}
    },

    async revokeUserTokens({ userId }) {
      if (!(await userById(parts.db, userId))) throw new NotFoundError('User not found')
      return { revoked: await revokeTokens(parts, userId) }
    },

    async countCall({ byAddress, clientIp, subject }, { responseHeader }) {
      if (byAddress) await parts.limits.countAnonymous(responseHeader, clientIp ?? null)
      if (subject) await parts.limits.countSubject(responseHeader, { ...subject, isCallersOwn: subject.own })
      return {}
    },

    async countBroken({ clientIp, isSignIn }, { responseHeader }) {
      await parts.limits.countUnreadable({ responseHeaders: responseHeader, ip: clientIp ?? null }, isSignIn)
      return {}
    },

    async verifyCredential({ apiKey, apiSecret }) {
      const row = await credentialByKey(parts.db, apiKey, new Date())
      const secret = row && parts.storedSecretCipher.open(row.api_secret)
      if (!row || secret === undefined || !sameSecret(secret, apiSecret)) throw new UnauthorizedError()
      return {
        credentialId: row.id,
        ecosystemId: row.ecosystem_id,
        permissions: grantedPermissions(row),
        userId: row.user_id,
        expiresAt: timestamp(row.expires_at),
      }
    },

    async checkCredential({ credentialId }) {
      return { isLive: Boolean(await liveCredential(parts.db, credentialId, new Date())) }
    },
  })

/**
 * Ends every session of a user and every token issued so far.
 * @returns how many refresh tokens were still valid
 */
export async function revokeTokens({ db }: Pick<Context, 'db'>, userId: string): Promise<number> {
  return (await inTransaction(db, trx => revokeTokensIn(trx, userId))).tokens
}

/** Like `revokeTokens`, in a running transaction; also counts the sessions. */
export async function revokeTokensIn(trx: Transaction<AuthTables>, userId: string) {
  const now = new Date()
  const counts = await endSessions(trx, { userIds: [userId] }, now)
  await updateUser(trx, userId, { tokens_valid_from: now })
  await publishRevoked(trx, userId)
  return counts
}

const everyMs = 60_000

/** Records the use of sessions, each at most once a minute. A failed write is ignored, since the next one follows. */
function useRecorder(db: Kysely<AuthTables>): (sessionId: string) => Promise<void> {
  const recentlyUsed = new LRUCache<string, true>({ max: 10_000, ttl: everyMs })
  return async sessionId => {
    if (recentlyUsed.has(sessionId)) return
    recentlyUsed.set(sessionId, true)
    await touchSession(db, sessionId, everyMs / 1000).catch(() => undefined)
  }
}
