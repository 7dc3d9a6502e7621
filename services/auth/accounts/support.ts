import { AccountSupportService } from '../../../gen/platform/auth/v1/account_support_pb.ts'
import { eventActorOf } from '../../kernel/access/access.ts'
import { ConflictError, NotFoundError } from '../../kernel/base/errors.ts'
import { optional, timestamp } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import { sendVerification } from '../addresses/verifications.ts'
import type { Context } from '../context.ts'
import { loadSignIns } from '../sessions/sessions.sql.ts'
import { auditAccount } from '../users/events.ts'
import { countUsers, listUsers, userById } from '../users/users.sql.ts'
import { revokeTokensIn } from './accounts.ts'

/** What the platform's administrators do for one account. */
export const accountSupportService = (parts: Context) => {
  const { db, limits } = parts
  return implement(AccountSupportService, {
    async listAccounts(request) {
      const page = paging(request)
      const search = request.search ?? ''
      const [users, total] = await Promise.all([listUsers(db, search, page), countUsers(db, search)])
      const signIns = await loadSignIns(
        db,
        users.map(({ id }) => id),
      )
      const subjects = users.map(({ id, email }) => ({
        email: email ?? '',
        addresses: signIns.get(id)?.addresses ?? [],
      }))
      const lockEnds = await limits.lockEnds(subjects)
      const data = users.map((row, index) => ({
        id: row.id,
        email: row.email ?? '',
        firstName: optional(row.first_name),
        lastName: optional(row.last_name),
        isActive: row.is_active === 1,
        isVerified: row.email_verified === 1,
        activeSessions: signIns.get(row.id)?.sessions ?? 0,
        lockedUntil: timestamp(lockEnds[index] ?? null),
        lastLoginAt: timestamp(row.last_login_at),
        createdAt: timestamp(row.created_at),
      }))
      return { data, meta: pageMeta(total, page) }
    },

    async unlockAccount({ userId }, context) {
      const { email } = await requireAccount(parts, userId)
      const addresses = (await loadSignIns(db, [userId])).get(userId)?.addresses ?? []
      await inTransaction(db, async trx => {
        await limits.unlock(trx, { email, addresses })
        await auditAccount(trx, eventActorOf(context), { userId, action: 'unlocked' })
      })
      return { message: 'Account unlocked', id: userId }
    },

    async endAccountSessions({ userId }, context) {
      await requireAccount(parts, userId)
      const endedCount = await inTransaction(db, async trx => {
        const { sessions } = await revokeTokensIn(trx, userId)
        await auditAccount(trx, eventActorOf(context), { userId, action: 'sessions_ended', after: { ended: sessions } })
        return sessions
      })
      return { message: 'Sessions ended', ended: endedCount }
    },

    async sendAccountConfirmation({ userId }, context) {
      const { email, email_verified: isVerified, first_name: firstName } = await requireAccount(parts, userId)
      if (isVerified) throw new ConflictError('The address is already confirmed')
      await inTransaction(db, async trx => {
        await sendVerification(parts, trx, { id: userId, email, firstName: firstName ?? undefined })
        await auditAccount(trx, eventActorOf(context), { userId, action: 'confirmation_sent' })
      })
      return { message: 'Confirmation sent', id: userId }
    },
  })
}

/** An account that isn't deleted, and so has an address. */
async function requireAccount({ db }: Pick<Context, 'db'>, userId: string) {
  const user = await userById(db, userId)
  if (!user?.email) throw new NotFoundError('Account not found')
  return { ...user, email: user.email }
}
