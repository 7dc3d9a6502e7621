import type { Kysely } from 'kysely'
import { AuthenticationSignedInSchema } from '../../../../gen/platform/events/v1/authentication_pb.ts'
import { emit } from '../../../kernel/bus/events.ts'
import { inTransaction } from '../../../kernel/database/database.ts'
import type { ClientInfo } from '../../context.ts'
import { withPasswordOf } from '../../passwords/check.ts'
import type { AuthTables } from '../../tables.ts'
import { administratorByEmail } from '../../users/administrators.sql.ts'
import { aroundAccount } from '../../users/events.ts'
import { userByEmail, userById } from '../../users/users.sql.ts'
import { failure } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'
import { lockUser } from '../users.sql.ts'
import { administratorClaims } from './claims.ts'
import { openLegacySession } from './legacy-session.ts'

/** Signs in a system administrator. MSG_601 for wrong credentials, or when they changed since the check. */
export async function loginAsAdmin(
  parts: LegacyContext,
  { email, password }: { email: string; password: string },
  client: ClientInfo,
) {
  const { db, config, tokens } = parts
  const answer = await withPasswordOf(
    parts,
    { email, password, client },
    address => loadAdministrator(db, address),
    admin => admin.is_active,
    async (admin, attempt) => {
      const { sessionId, refreshToken } = await inTransaction(db, async trx => {
        if (admin.account_id) await lockUser(trx, admin.account_id)
        const lockedAdmin = await loadAdministrator(trx, admin.email)
        if (!lockedAdmin?.is_active || lockedAdmin.password_hash !== admin.password_hash) throw failure('MSG_601')
        await emit(trx, AuthenticationSignedInSchema, { id: admin.id, appType: 'admin' }, aroundAccount)
        await logUser(trx, { level: 'info', message: 'administrator signed in', userId: admin.id })
        const session = await openLegacySession(parts, trx, {
          owner: { administratorId: admin.id },
          appType: null,
          client,
        })
        await attempt.countIn(trx)
        return session
      })
      const accessToken = tokens.issue(administratorClaims(admin, sessionId), config.LEGACY_ACCESS_TOKEN_SECONDS)
      return { accessToken, refreshToken, admin: { id: admin.id, email: admin.email } }
    },
  )
  if (answer) return answer
  await logUser(db, { level: 'warn', message: 'administrator sign-in refused' })
  throw failure('MSG_601')
}

/**
 * An administrator with the password that applies: that of the account it was created with, even at a new address;
 * without one, that of an administrator's account with the same e-mail [D133].
 */
async function loadAdministrator(db: Kysely<AuthTables>, email: string) {
  const admin = await administratorByEmail(db, email)
  if (!admin) return undefined
  const account = admin.user_id ? await userById(db, admin.user_id) : await userByEmail(db, email)
  if (!account?.is_admin) return { ...admin, account_id: undefined, is_active: admin.user_id === null }
  const { password_hash, is_active } = account
  return { ...admin, account_id: account.id, password_hash, is_active: is_active === 1 }
}
