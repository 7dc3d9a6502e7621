import type { HandlerContext } from '@connectrpc/connect'
import type { Transaction } from 'kysely'
import {
  AuthenticationEmailChangedSchema,
  AuthenticationLoginDataSetSchema,
  AuthenticationUserDeletedSchema,
} from '../../../../gen/platform/events/v1/authentication_pb.ts'
import {
  AccountService,
  type ChangeMailRequest,
  type SetLoginDataRequest,
} from '../../../../gen/platform/legacyauth/v1/accounts_pb.ts'
import { ValidationError } from '../../../kernel/base/errors.ts'
import { normalizeEmail } from '../../../kernel/base/text.ts'
import { emit } from '../../../kernel/bus/events.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import { implement } from '../../../kernel/rpc/implement.ts'
import { isOwnAccount, moveAccount } from '../../addresses/change.ts'
import { claimsOf } from '../../context.ts'
import { revokeCredentialsOf } from '../../credentials/credentials.sql.ts'
import { provePassword } from '../../passwords/check.ts'
import { endSessions } from '../../sessions/sessions.sql.ts'
import type { AuthTables } from '../../tables.ts'
import { aroundAccount, auditAdministration, publishDeleted } from '../../users/events.ts'
import { softDeleteUsers, type UserRow, updateUser, userByEmail, userById } from '../../users/users.sql.ts'
import { failure, successCodes } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'
import { lockUser } from '../users.sql.ts'
import { deleteEcosystemAccounts } from './ecosystem.ts'
import { inviteAccount } from './invitation.ts'
import { revokeByEmail, revokeById } from './revocation.ts'

/** Administration of accounts in the legacy version. */
export const legacyAccountService = (parts: LegacyContext) =>
  implement(AccountService, {
    inviteAccount: (request, context) => inviteAccount(parts, request, context),
    setLoginData: (request, context) => setLoginData(parts, request, context),
    deleteAccount: ({ email }, context) => deleteAccount(parts, email, context),
    changeMail: (request, context) => changeMail(parts, request, context),
    revokeRefreshTokens: ({ userId }, context) => revokeById(parts, userId, context),
    deleteUserTokens: ({ userId }, context) => revokeById(parts, userId, context),
    revokeTokensByEmail: ({ email }, context) => revokeByEmail(parts, email, context),
    deleteEcosystemAccounts: ({ ecosystemId }, context) => deleteEcosystemAccounts(parts, ecosystemId, context),
  })

/** The account, locked in the running transaction. MSG_623 when it is missing or has changed its address. */
async function lockUnchanged(trx: Transaction<AuthTables>, row: UserRow | undefined): Promise<UserRow> {
  const user = row && (await lockUser(trx, row.id))
  if (!user || user.email !== row?.email) throw failure('MSG_623')
  return user
}

const flagRequired = ['isTmpPassword', 'isFirstLogin', 'isForced'].map(path => ({
  path,
  message: 'is required unless another flag is given',
  rule: 'required',
}))

const flagColumn = (flag: boolean | undefined, before: number): number => (flag === undefined ? before : Number(flag))

function setLoginData({ db }: LegacyContext, request: SetLoginDataRequest, context: HandlerContext) {
  const { userId, isTmpPassword, isFirstLogin, isForced } = request
  // A success would claim that something was set.
  if ((isTmpPassword ?? isFirstLogin ?? isForced) === undefined) throw new ValidationError(flagRequired)
  return inTransaction(db, async trx => {
    const before = await lockUnchanged(trx, await userById(trx, userId))
    const columns = {
      is_tmp_password: flagColumn(isTmpPassword, before.is_tmp_password),
      is_first_login: flagColumn(isFirstLogin, before.is_first_login),
      is_forced: flagColumn(isForced, before.is_forced),
    }
    await updateUser(trx, userId, columns)
    const flags = {
      isTmpPassword: columns.is_tmp_password === 1,
      isFirstLogin: columns.is_first_login === 1,
      isForced: columns.is_forced === 1,
    }
    await emit(trx, AuthenticationLoginDataSetSchema, { id: userId, ...flags }, aroundAccount)
    await logUser(trx, { level: 'info', message: 'login data set', userId, meta: flags })
    await auditAdministration(trx, context, { userId, action: 'flags_set', after: flags })
    return { success: true, msg: successCodes.none, user: flags }
  })
}

function deleteAccount({ db }: LegacyContext, typed: string, context: HandlerContext) {
  return inTransaction(db, async trx => {
    const user = await lockUnchanged(trx, await userByEmail(trx, normalizeEmail(typed)))
    const now = new Date()
    const email = user.email ?? ''
    await softDeleteUsers(trx, [user.id], now)
    await endSessions(trx, { userIds: [user.id] }, now)
    await revokeCredentialsOf(trx, [user.id])
    await publishDeleted(trx, user.id, email)
    await emit(trx, AuthenticationUserDeletedSchema, { id: user.id, email }, aroundAccount)
    await logUser(trx, { level: 'info', message: 'account deleted', userId: user.id })
    await auditAdministration(trx, context, { userId: user.id, action: 'deleted' })
    return { success: true, msg: successCodes.none, userId: user.id }
  })
}

async function changeMail(parts: LegacyContext, request: ChangeMailRequest, context: HandlerContext) {
  const { db, members } = parts
  const { oldEmail, newEmail, currentPassword } = request
  const account = await userByEmail(db, normalizeEmail(oldEmail))
  const callerId = claimsOf(context)?.userId
  const isMoving = account && account.email !== normalizeEmail(newEmail)
  if (isMoving && callerId && (await isOwnAccount(db, callerId, account.id)))
    await provePassword(parts, account, { currentPassword }, 'change the email')
  return inTransaction(db, async trx => {
    const user = await lockUnchanged(trx, await userByEmail(trx, normalizeEmail(oldEmail)))
    const before = user.email ?? ''
    const email = normalizeEmail(newEmail)
    const answer = { success: true, msg: successCodes.none, userId: user.id, email }
    if (email === before) return answer
    await moveAccount(parts, trx, { user, email })
    const change = { id: user.id, oldEmail: before, newEmail: email }
    await emit(trx, AuthenticationEmailChangedSchema, change, aroundAccount)
    await logUser(trx, { level: 'info', message: 'email changed', userId: user.id })
    await auditAdministration(trx, context, { userId: user.id, action: 'address_changed' })
    // Last, so that a refusal there rolls everything back.
    await members.updateProfile(user.id, { email })
    return answer
  })
}
