import type { HandlerContext } from '@connectrpc/connect'
import type { Transaction } from 'kysely'
import { AuthenticationTokensRevokedSchema } from '../../../../gen/platform/events/v1/authentication_pb.ts'
import { isPlatformCaller } from '../../../kernel/access/access.ts'
import { ForbiddenError } from '../../../kernel/base/errors.ts'
import { normalizeEmail } from '../../../kernel/base/text.ts'
import { emit } from '../../../kernel/bus/events.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import { revokeTokensIn } from '../../accounts/accounts.ts'
import { claimsOf } from '../../context.ts'
import { endSessions } from '../../sessions/sessions.sql.ts'
import type { AuthTables } from '../../tables.ts'
import { type AdministratorRow, administratorByEmail, administratorById } from '../../users/administrators.sql.ts'
import { aroundAccount, auditAdministration, publishRevoked } from '../../users/events.ts'
import { type UserRow, userByEmail, userById } from '../../users/users.sql.ts'
import { failure, successCodes } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'

type Owners = { user: UserRow | undefined; administrator: AdministratorRow | undefined }

/** Ends every sign-in of a user, or of a system administrator. MSG_623 when neither exists. */
export async function revokeById(parts: LegacyContext, id: string, context: HandlerContext) {
  const [user, administrator] = await Promise.all([userById(parts.db, id), administratorById(parts.db, id)])
  checkOwn(context, user)
  return revoke(parts, { user, administrator }, context)
}

/** Ends every sign-in of the account with an e-mail, and of the administrator with that address. */
export async function revokeByEmail(parts: LegacyContext, typedEmail: string, context: HandlerContext) {
  const email = normalizeEmail(typedEmail)
  const [user, administrator] = await Promise.all([userByEmail(parts.db, email), administratorByEmail(parts.db, email)])
  checkOwn(context, user)
  return revoke(parts, { user, administrator }, context)
}

/** People end their own sign-ins only, since the legacy version has no sign-out. */
function checkOwn(context: HandlerContext, user: UserRow | undefined): void {
  if (!isPlatformCaller(context) && claimsOf(context)?.userId !== user?.id)
    throw new ForbiddenError('Permission denied')
}

function revoke({ db }: LegacyContext, { user, ...owners }: Owners, context: HandlerContext) {
  // A person's address may be that of an administrator's record which isn't theirs.
  const isAllowed = isPlatformCaller(context) || owners.administrator?.user_id === user?.id
  const administrator = isAllowed ? owners.administrator : undefined
  if (!user && !administrator) throw failure('MSG_623')
  return inTransaction(db, async trx => {
    let revoked = 0
    const record = async (id: string, { sessions, tokens }: { sessions: number; tokens: number }) => {
      revoked += tokens
      await emit(trx, AuthenticationTokensRevokedSchema, { id, revoked: tokens }, aroundAccount)
      await logUser(trx, { level: 'info', message: 'tokens revoked', userId: id, meta: { revoked: tokens } })
      await auditAdministration(trx, context, { userId: id, action: 'sessions_ended', after: { ended: sessions } })
    }
    if (user) await record(user.id, await revokeTokensIn(trx, user.id))
    if (administrator) await record(administrator.id, await revokeOf(trx, administrator.id))
    return { success: true, msg: successCodes.none, revoked }
  })
}

async function revokeOf(trx: Transaction<AuthTables>, administratorId: string) {
  const counts = await endSessions(trx, { administratorId }, new Date())
  await publishRevoked(trx, administratorId)
  return counts
}
