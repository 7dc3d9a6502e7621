import type { HandlerContext } from '@connectrpc/connect'
import type { Transaction } from 'kysely'
import type { AccessClaims } from '../../kernel/access/tokens.ts'
import { ForbiddenError, UnauthorizedError } from '../../kernel/base/errors.ts'
import { type Context, claimsOf } from '../context.ts'
import type { AuthTables } from '../tables.ts'
import { lockSession, type UserAndSession, type UserRow, userAndSession } from './users.sql.ts'

/** The caller's live account. UnauthorizedError once it is deactivated or the session of its token has ended. */
export async function requireUser({ db }: Pick<Context, 'db'>, context: HandlerContext): Promise<SignedInUser> {
  const claims = claimsOf(context)
  // A legacy Administrator has a token but no account.
  if (claims?.kind === 'administrator') throw new ForbiddenError()
  if (!claims) throw new UnauthorizedError()
  const user = await userAndSession(db, claims.userId, claims.sessionId)
  if (!user?.is_active || user.deleted_at || !isFresh(claims, user)) throw new UnauthorizedError()
  return { user, claims, sessionId: claims.sessionId ?? undefined }
}

/** The same in a transaction that locks the session: it ends before, and is refused, or after the transaction. */
export async function requireUserLocked(trx: Transaction<AuthTables>, context: HandlerContext): Promise<SignedInUser> {
  const sessionId = claimsOf(context)?.sessionId
  if (sessionId) await lockSession(trx, sessionId)
  return requireUser({ db: trx }, context)
}

export type SignedInUser = { user: UserRow; claims: AccessClaims; sessionId: string | undefined }

/** Whether the session of a token is live and no revocation followed the token's issue. */
function isFresh(claims: AccessClaims, { session_active, tokens_valid_from }: UserAndSession): boolean {
  if (claims.sessionId && session_active !== 1) return false
  return !tokens_valid_from || claims.iat >= Math.floor(tokens_valid_from.getTime() / 1000)
}
