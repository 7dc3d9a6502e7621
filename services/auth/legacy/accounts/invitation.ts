import type { HandlerContext } from '@connectrpc/connect'
import type { Transaction } from 'kysely'
import { AuthenticationUserInvitedSchema } from '../../../../gen/platform/events/v1/authentication_pb.ts'
import type { InviteAccountRequest } from '../../../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { ConflictError } from '../../../kernel/base/errors.ts'
import { frontLink } from '../../../kernel/base/front-link.ts'
import { newId } from '../../../kernel/base/ids.ts'
import { digest, newToken } from '../../../kernel/base/secrets.ts'
import { normalizeEmail } from '../../../kernel/base/text.ts'
import { emit } from '../../../kernel/bus/events.ts'
import { inTransaction, isDuplicateKey } from '../../../kernel/database/database.ts'
import { lifetimes } from '../../config.ts'
import { insertReset } from '../../passwords/resets.sql.ts'
import { replacePassword } from '../../passwords/write.ts'
import type { AuthTables } from '../../tables.ts'
import { aroundAccount, auditAdministration, publishCreated } from '../../users/events.ts'
import { insertUser, type UserRow, userByEmail } from '../../users/users.sql.ts'
import { failure } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'

/**
 * Creates or renews a member's account with a temporary password, and mails a create-password token with which they can
 * replace it. MSG_602 for an unknown member, ConflictError for another person's account.
 */
export async function inviteAccount(parts: LegacyContext, request: InviteAccountRequest, context: HandlerContext) {
  const { db, hasher, limits, members } = parts
  const email = normalizeEmail(request.email)
  const password = hasher.accept(request.password, email)
  const member = await members.profileOfMember(request.memberId)
  if (!member || normalizeEmail(member.email) !== email) throw failure('MSG_602')
  const existing = await userByEmail(db, email)
  if (member.userId && member.userId !== existing?.id) throw new ConflictError('The member belongs to another account')
  const { id: memberId, firstname: firstName } = member
  const password_hash = await hasher.hash(password)
  const write = () =>
    inTransaction(db, async trx => {
      const id = await withTemporaryPassword(trx, email, password_hash)
      await mailCreateToken(parts, trx, { id, email, memberId, firstName })
      await emit(trx, AuthenticationUserInvitedSchema, { id, memberId, email }, aroundAccount)
      await logUser(trx, { level: 'info', message: 'account invited', userId: id, meta: { memberId } })
      await auditAdministration(trx, context, { userId: id, action: 'invited' })
      return id
    })
  // A concurrent call created the account, so renew it.
  const id = await write().catch((error: unknown) => {
    if (isDuplicateKey(error)) return write()
    throw error
  })
  await limits.resetAccount(email)
  // After the account exists: the next call completes an interrupted one.
  await members.linkUser(id, email)
  return { success: true, user: { id, email, isTmpPassword: true, isFirstLogin: true } }
}

/** Creates or updates the account of an e-mail with this password, and ends its sign-ins. */
async function withTemporaryPassword(
  trx: Transaction<AuthTables>,
  email: string,
  password_hash: string,
): Promise<string> {
  const flags = { password_hash, is_tmp_password: 1, is_first_login: 1, is_active: 1, sign_up_pending: 0 }
  const existing: UserRow | undefined = await userByEmail(trx, email)
  if (!existing) {
    const id = newId()
    const now = new Date()
    await insertUser(trx, { id, email, ...flags, created_at: now, updated_at: now })
    await publishCreated(trx, id, email)
    return id
  }
  await replacePassword(trx, existing.id, flags)
  return existing.id
}

type InvitedUser = { id: string; email: string; memberId: string; firstName: string }

async function mailCreateToken(
  { config, mails, createBox }: LegacyContext,
  trx: Transaction<AuthTables>,
  { id, email, memberId, firstName }: InvitedUser,
): Promise<void> {
  const now = new Date()
  const token = createBox.seal(JSON.stringify({ memberId, userId: id, jti: newToken() }))
  const times = { expires_at: new Date(now.getTime() + lifetimes.createPassword), created_at: now, updated_at: now }
  await insertReset(trx, { kind: 'create', email, user_id: id, token_digest: digest(token), ...times })
  const link = frontLink(config.FRONT_BASE_URL, config.FRONT_RESET_PASSWORD_SUFFIX, token)
  const variables = { link, token, email, firstName, expiresIn: '4 h' }
  await mails.queue(trx, { slug: 'user_invitation', to: email, variables })
}
