import type { HandlerContext } from '@connectrpc/connect'
import { AuthenticationEcosystemDeletedSchema } from '../../../../gen/platform/events/v1/authentication_pb.ts'
import { emit } from '../../../kernel/bus/events.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import { failpoint } from '../../../kernel/process/failpoint.ts'
import { revokeCredentialsOf } from '../../credentials/credentials.sql.ts'
import { deleteSessionsOf, endSessions } from '../../sessions/sessions.sql.ts'
import { aroundAccount, auditAdministration, publishDeleted, publishRevoked } from '../../users/events.ts'
import { softDeleteUsers, updateUser } from '../../users/users.sql.ts'
import { successCodes } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'
import { lockUsers } from '../users.sql.ts'

/**
 * Deletes the users of an ecosystem with their tokens and sessions, all or nothing. Users who also work elsewhere keep
 * the account but lose tokens and sessions. A concurrent second call deletes and publishes nothing.
 */
export async function deleteEcosystemAccounts(parts: LegacyContext, ecosystemId: string, context: HandlerContext) {
  const { db, members } = parts
  const workplacesByUser = await members.usersOfEcosystem(ecosystemId)
  return inTransaction(db, async trx => {
    const now = new Date()
    const users = await lockUsers(trx, [...workplacesByUser.keys()])
    const ids = users.map(user => user.id)
    const deletedUsers = users.filter(user => !workplacesByUser.get(user.id)?.isElsewhere && user.is_admin === 0)
    const keptUserIds = users.filter(user => !deletedUsers.includes(user)).map(user => user.id)
    const deletedUserIds = deletedUsers.map(user => user.id)
    const { tokens } = await endSessions(trx, { userIds: ids }, now)
    const deletedSessions = await deleteSessionsOf(trx, ids)
    await softDeleteUsers(trx, deletedUserIds, now)
    await revokeCredentialsOf(trx, deletedUserIds)
    for (const { id, email } of deletedUsers) {
      await publishDeleted(trx, id, email ?? '')
      await auditAdministration(trx, context, { userId: id, action: 'deleted' })
    }
    for (const id of keptUserIds) {
      await updateUser(trx, id, { tokens_valid_from: now })
      await publishRevoked(trx, id)
      await auditAdministration(trx, context, { userId: id, action: 'sessions_ended' })
    }
    const counts = {
      deletedUsers: deletedUserIds.length,
      revokedTokens: tokens,
      deletedSessions,
      keptUsers: keptUserIds.length,
    }
    if (ids.length > 0) {
      const payload = { id: ecosystemId, users: deletedUserIds.length }
      await emit(trx, AuthenticationEcosystemDeletedSchema, payload, aroundAccount)
    }
    const meta = { ecosystemId, ...counts }
    await logUser(trx, { level: 'info', message: 'users of an ecosystem deleted', meta })
    failpoint('legacy-ecosystem-deleted')
    return { success: true, msg: successCodes.none, ...counts }
  })
}
