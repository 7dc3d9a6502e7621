import {
  AuthenticationEcosystemDeletedSchema,
  AuthenticationEmailChangedSchema,
} from '../../../gen/platform/events/v1/authentication_pb.ts'
import { AccountService } from '../../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { revokeTokens } from '../accounts.ts'
import { normalEmail } from '../addresses.rules.ts'
import { revokeCredentialsOf } from '../credentials.sql.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database.ts'
import { ConflictError } from '../../kernel/errors.ts'
import { emit } from '../../kernel/events.ts'
import { implement } from '../../kernel/implement.ts'
import { deleteSessionsOf, endSessions } from '../sessions.sql.ts'
import { aroundAccount, tellDeleted } from '../user-events.ts'
import { softDeleteUsers, updateUser, type UserRow, userByEmail, userById, usersByIds } from '../users.sql.ts'
import { done, failure } from './codes.ts'
import { inviteAccount } from './invitation.ts'
import type { LegacyParts } from './legacy-parts.ts'
import { logUser } from './user-logs.ts'

const known = (user: UserRow | undefined): UserRow => {
  if (!user) throw failure('MSG_623')
  return user
}

/** Administration of accounts in the legacy version. */
export const legacyAccountService = (parts: LegacyParts) => {
  const { db } = parts
  const revoke = async (user: UserRow | undefined) => {
    const revoked = await revokeTokens(parts, known(user).id)
    return { success: true, msg: done.none, revoked }
  }

  return implement(AccountService, {
    inviteAccount: request => inviteAccount(parts, request),

    async setLoginData({ userId, isTmpPassword, isFirstLogin, isForced }) {
      known(await userById(db, userId))
      await updateUser(db, userId, {
        ...flag('is_tmp_password', isTmpPassword),
        ...flag('is_first_login', isFirstLogin),
        ...flag('is_forced', isForced),
      })
      const user = known(await userById(db, userId))
      const flags = {
        isTmpPassword: user.is_tmp_password === 1,
        isFirstLogin: user.is_first_login === 1,
        isForced: user.is_forced === 1,
      }
      return { success: true, msg: done.none, user: flags }
    },

    async deleteAccount({ email }) {
      const user = known(await userByEmail(db, normalEmail(email)))
      await inTransaction(db, async trx => {
        const now = new Date()
        await softDeleteUsers(trx, [user.id], now)
        await endSessions(trx, { userIds: [user.id] }, now)
        await revokeCredentialsOf(trx, [user.id])
        await tellDeleted(trx, user.id, user.email ?? '')
        await logUser(trx, { level: 'info', message: 'account deleted', userId: user.id })
      })
      return { success: true, msg: done.none, userId: user.id }
    },

    async changeMail({ oldEmail, newEmail }) {
      const user = known(await userByEmail(db, normalEmail(oldEmail)))
      const email = normalEmail(newEmail)
      await inTransaction(db, async trx => {
        try {
          await updateUser(trx, user.id, { email })
        } catch (error) {
          if (isDuplicateKey(error)) throw new ConflictError('The new email is taken', { msg: done.none })
          throw error
        }
        const change = { id: user.id, oldEmail: user.email ?? '', newEmail: email }
        await emit(trx, AuthenticationEmailChangedSchema, change, aroundAccount)
        await logUser(trx, { level: 'info', message: 'email changed', userId: user.id })
        // Last, so that a refusal there takes everything here back.
        await parts.members.update(user.id, { email })
      })
      return { success: true, msg: done.none, userId: user.id, email }
    },

    revokeRefreshTokens: async ({ userId }) => revoke(await userById(db, userId)),
    deleteUserTokens: async ({ userId }) => revoke(await userById(db, userId)),
    revokeTokensByEmail: async ({ email }) => revoke(await userByEmail(db, normalEmail(email))),

    async deleteEcosystemAccounts({ ecosystemId }) {
      const userIds = await parts.members.usersOfEcosystem(ecosystemId)
      const counts = await inTransaction(db, async trx => {
        const now = new Date()
        const users = await usersByIds(trx, userIds)
        const ids = users.map(user => user.id)
        const { tokens } = await endSessions(trx, { userIds: ids }, now)
        const sessions = await deleteSessionsOf(trx, ids)
        await softDeleteUsers(trx, ids, now)
        await revokeCredentialsOf(trx, ids)
        for (const user of users) await tellDeleted(trx, user.id, user.email ?? '')
        const told = { id: ecosystemId, users: ids.length }
        await emit(trx, AuthenticationEcosystemDeletedSchema, told, aroundAccount)
        return { deletedUsers: ids.length, revokedTokens: tokens, deletedSessions: sessions }
      })
      return { success: true, msg: done.none, ...counts }
    },
  })
}

type Flag = 'is_tmp_password' | 'is_first_login' | 'is_forced'

const flag = (column: Flag, value: boolean | undefined) => (value === undefined ? {} : { [column]: value ? 1 : 0 })
