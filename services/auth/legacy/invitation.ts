import type { InviteAccountRequest } from '../../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { AuthenticationUserInvitedSchema } from '../../../gen/platform/events/v1/authentication_pb.ts'
import { inTransaction } from '../../kernel/database.ts'
import { emit } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import { digest, newToken } from '../../kernel/secrets.ts'
import { normalEmail } from '../addresses.rules.ts'
import { frontLink, lifetimes } from '../config.ts'
import { assertReadable } from '../hashing.ts'
import { insertReset, voidResets } from '../password-resets.sql.ts'
import { endSessions } from '../sessions.sql.ts'
import { aroundAccount, tellCreated, tellRevoked } from '../user-events.ts'
import { insertUser, updateUser, userByEmail } from '../users.sql.ts'
import { failure } from './codes.ts'
import type { LegacyParts } from './legacy-parts.ts'

/**
 * Makes or renews the account of a member with a temporary password, and mails the create-password token with which
 * they can choose one of their own at once.
 */
export async function inviteAccount(parts: LegacyParts, request: InviteAccountRequest) {
  const { db, config, hasher, mails, members, createBox } = parts
  assertReadable(request.password)
  const email = normalEmail(request.email)
  const member = await members.ofMember(request.memberId)
  if (!member || normalEmail(member.email) !== email) throw failure('MSG_602')
  const { memberId } = member
  const password_hash = await hasher.hash(request.password)
  const existing = await userByEmail(db, email)
  const id = existing?.id ?? newId()
  const now = new Date()
  const expires_at = new Date(now.getTime() + lifetimes.createPassword)
  const token = createBox.seal(JSON.stringify({ memberId, userId: id, jti: newToken() }))
  const flags = { password_hash, is_tmp_password: 1, is_first_login: 1, is_active: 1, sign_up_pending: 0 }
  await inTransaction(db, async trx => {
    if (existing) {
      await updateUser(trx, id, { ...flags, tokens_valid_from: now })
      await endSessions(trx, { userIds: [id] }, now)
      await tellRevoked(trx, id)
    } else {
      await insertUser(trx, { id, email, ...flags, created_at: now, updated_at: now })
      await tellCreated(trx, id, email)
    }
    await voidResets(trx, email, 'create', now)
    const times = { expires_at, created_at: now, updated_at: now }
    await insertReset(trx, { kind: 'create', email, user_id: id, token_digest: digest(token), ...times })
    const link = frontLink(config, config.FRONT_RESET_PASSWORD_SUFFIX, token)
    const variables = { link, token, email, firstName: member.firstName, expiresIn: '4 h' }
    await mails.queue(trx, { slug: 'user_invitation', to: email, variables })
    await emit(trx, AuthenticationUserInvitedSchema, { id, memberId, email }, aroundAccount)
  })
  // After the account exists: a call that breaks off here is completed by the next one.
  await members.link(id, email)
  return { success: true, user: { id, email, isTmpPassword: true, isFirstLogin: true } }
}
