import type { HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import type { Asker } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import type { VerifyEmailRequest } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { GoneError, invalid } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { type Context, claimsOf } from '../context.ts'
import { liveCredential } from '../credentials/credentials.sql.ts'
import type { Hasher } from '../hashing/hashing.ts'
import { replacePassword, settledFlags } from '../passwords/write.ts'
import type { AuthTables } from '../tables.ts'
import { administratorById } from '../users/administrators.sql.ts'
import { requireUser } from '../users/signed-in.ts'
import { type UserRow, updateUser, userById } from '../users/users.sql.ts'
import { changeAddress } from './change.ts'
import { consumeVerification, findOpenVerification, type Verification } from './verifications.ts'

const badToken = () => invalid('token', 'is unknown, used or expired', 'token.valid')

/**
 * Confirms the address of a mailed link. While the account's address was never confirmed, its password may be that of
 * somebody else who registered it: outside a session of the account, a new password replaces it.
 */
export async function confirmAddress(
  parts: Context,
  { token, password }: Pick<VerifyEmailRequest, 'token' | 'password'>,
  context: HandlerContext,
): Promise<void> {
  const { db, hasher, members, limits } = parts
  const { user, verification } = await accountOf(db, await findOpenVerification(db, token))
  const needsPassword = !user.email_verified && !(await isSignedInTo(parts, context, user))
  const newHash = needsPassword ? await hasher.hash(acceptPassword(hasher, password, verification.email)) : undefined
  await inTransaction(db, async trx => {
    const { user: account, verification: link } = await accountOf(trx, await consumeVerification(trx, token))
    if (!account.email_verified && user.email_verified) throw badToken()
    if (link.isChange) await assertAskerIsActive(trx, link.asker)
    if (account.email !== link.email) await changeAddress(trx, account.id, link.email)
    const verifiedColumns = { email_verified: 1 }
    if (newHash) await replacePassword(trx, account.id, { ...settledFlags, ...verifiedColumns, password_hash: newHash })
    else await updateUser(trx, account.id, verifiedColumns)
    // The member's address changes once it is verified; when that fails, the link can be opened again.
    if (link.asker) await members.confirmAddress(account.id, link.email, link.asker)
    else await members.updateProfile(account.id, { email: link.email })
  })
  if (newHash) await limits.resetAccount(verification.email)
}

/** The account of a verification. Throws for a link whose account has another address by now. */
async function accountOf(db: Kysely<AuthTables>, verification: Verification | undefined) {
  const user = verification && (await userById(db, verification.userId))
  if (!user || (user.email !== verification.email && !verification.isChange)) throw badToken()
  return { user, verification }
}

async function isSignedInTo(parts: Context, context: HandlerContext, user: UserRow): Promise<boolean> {
  return claimsOf(context)?.userId === user.id && (await requireUser(parts, context)).user.id === user.id
}

function acceptPassword(hasher: Hasher, password: string | undefined, email: string) {
  if (password === undefined)
    throw invalid('password', 'is required: send the token again with a new password, or sign in first', 'required')
  return hasher.accept(password, email)
}

/** Throws a GoneError when the account or credential of the asker has ended. Links of older versions name no asker. */
async function assertAskerIsActive(db: Kysely<AuthTables>, asker: Asker | undefined): Promise<void> {
  const isActive =
    asker &&
    (asker.isAdministrator
      ? await administratorById(db, asker.userId)
      : (await userById(db, asker.userId))?.is_active &&
        (!asker.credentialId || (await liveCredential(db, asker.credentialId, new Date()))))
  if (!isActive) throw new GoneError('The asker may no longer set this address')
}
