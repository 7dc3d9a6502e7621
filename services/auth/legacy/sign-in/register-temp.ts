import type { RegisterTempRequest } from '../../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { digest } from '../../../kernel/base/secrets.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import type { ClientInfo } from '../../context.ts'
import { openReset, useReset } from '../../passwords/resets.sql.ts'
import { replacePassword, settledFlags } from '../../passwords/write.ts'
import { userById } from '../../users/users.sql.ts'
import { failure } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { publishPasswordChanged } from '../passwords/passwords.ts'
import { logUser } from '../user-logs.ts'
import { lockUser } from '../users.sql.ts'
import { issueLegacyPair, loadMember, openAppSession } from './app-sign-in.ts'
import { profileMessage } from './claims.ts'

/**
 * Sets the first own password of an invited account with the create-password token of the mail, and signs in. All
 * sign-ins with the temporary password end. MSG_601 for an invalid token, MSG_602 when the member is gone.
 */
export async function registerTemp(parts: LegacyContext, { token, password }: RegisterTempRequest, client: ClientInfo) {
  const { db, hasher, limits, createBox } = parts
  const isReadable = createBox.open(token) !== undefined
  const request = isReadable ? await openReset(db, digest(token), 'create', new Date()) : undefined
  const user = request?.user_id ? await userById(db, request.user_id) : undefined
  if (!request || !user?.is_active) throw failure('MSG_601')
  const member = await loadMember(parts, user)
  if (!member) throw failure('MSG_602')
  const password_hash = await hasher.hash(hasher.accept(password, user.email ?? ''))
  const openedSession = await inTransaction(db, async trx => {
    const lockedUser = await lockUser(trx, user.id)
    // An address change voids the token.
    if (!lockedUser?.is_active || !(await useReset(trx, request.id, new Date()))) throw failure('MSG_601')
    // The link was mailed to this address, which verifies it.
    await replacePassword(trx, user.id, { ...settledFlags, password_hash, email_verified: 1 })
    await publishPasswordChanged(trx, user.id, 'register')
    await logUser(trx, { level: 'info', message: 'password chosen', userId: user.id })
    const after = { ...lockedUser, ...settledFlags, password_hash }
    return {
      ...(await openAppSession(parts, trx, { user: after, member, appType: null, client })),
      user: after,
      member,
    }
  })
  await limits.resetAccount(user.email ?? '')
  return { success: true, ...issueLegacyPair(parts, openedSession), user: profileMessage(openedSession.user, member) }
}
