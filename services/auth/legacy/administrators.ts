import { AuthenticationSignedInSchema } from '../../../gen/platform/events/v1/authentication_pb.ts'
import { administratorByEmail } from '../administrators.sql.ts'
import { inTransaction } from '../../kernel/database.ts'
import { emit } from '../../kernel/events.ts'
import type { Client } from '../parts.ts'
import { counterOf } from '../limits.sql.ts'
import { checkPasswordOf } from '../password-check.ts'
import { aroundAccount } from '../user-events.ts'
import { userByEmail, userById } from '../users.sql.ts'
import { failure } from './codes.ts'
import type { LegacyParts } from './legacy-parts.ts'
import { openLegacySession } from './pairs.ts'
import { administratorClaims } from './profile-message.ts'
import { logUser } from './user-logs.ts'

/** Signs a system administrator in. MSG_601 for wrong credentials. */
export async function loginAsAdmin(
  parts: LegacyParts,
  { email, password }: { email: string; password: string },
  client: Client,
) {
  const { db, config, tokens } = parts
  const admin = await checkPasswordOf(
    parts,
    { email, password, client },
    async address => ({
      found: await administrator(parts, address),
      counted: await counterOf(db, parts.limits.wrongPasswordsOf(address)),
    }),
    found => found.is_active,
  )
  if (!admin) {
    await logUser(db, { level: 'warn', message: 'administrator sign-in refused' })
    throw failure('MSG_601')
  }
  const { sessionId, refreshToken } = await inTransaction(db, async trx => {
    await emit(trx, AuthenticationSignedInSchema, { id: admin.id, appType: 'admin' }, aroundAccount)
    await logUser(trx, { level: 'info', message: 'administrator signed in', userId: admin.id })
    return openLegacySession(parts, trx, { owner: { administratorId: admin.id }, appType: null, client })
  })
  const accessToken = tokens.issue(administratorClaims(admin, sessionId), config.LEGACY_ACCESS_TOKEN_SECONDS)
  return { accessToken, refreshToken, admin: { id: admin.id, email: admin.email } }
}

/**
 * An administrator with the password that counts: that of the account it was made with, wherever that one has moved;
 * without such, of an administrator's account with the same e-mail (decision 133).
 */
async function administrator({ db }: LegacyParts, email: string) {
  const admin = await administratorByEmail(db, email)
  if (!admin) return undefined
  const account = admin.user_id ? await userById(db, admin.user_id) : await userByEmail(db, email)
  if (account?.is_admin) return { ...admin, password_hash: account.password_hash, is_active: account.is_active === 1 }
  return { ...admin, is_active: admin.user_id === null }
}
