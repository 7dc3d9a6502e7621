import { type LoginRequest, SignInService } from '../../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import type { Profile } from '../../../../gen/platform/member/v1/profiles_pb.ts'
import { implement } from '../../../kernel/rpc/implement.ts'
import { clientOf } from '../../context.ts'
import { passwordFlags, withPassword } from '../../passwords/check.ts'
import { checkExchange, exchange, loadCountedToken } from '../../sessions/exchange.ts'
import type { RefreshTokenRow } from '../../sessions/refresh-tokens.sql.ts'
import { administratorById } from '../../users/administrators.sql.ts'
import { userById } from '../../users/users.sql.ts'
import { failure, isRequired } from '../codes.ts'
import type { LegacyContext } from '../context.ts'
import { logUser } from '../user-logs.ts'
import { loginAsAdmin } from './administrators.ts'
import { loadMember, signInToApp, toAppType } from './app-sign-in.ts'
import { administratorClaims, legacyClaims, profileMessage } from './claims.ts'
import { legacyExpiry, newLegacyRefreshToken } from './legacy-session.ts'
import { registerTemp } from './register-temp.ts'

/** Sign-in and tokens of the legacy version. */
export const legacySignInService = (parts: LegacyContext) =>
  implement(SignInService, {
    async login(request, context) {
      const client = clientOf(context)
      const { email, password } = requireCredentials(request)
      const { type } = request
      const answer = await withPassword(parts, { email, password, client }, async (user, attempt) => {
        const member = await loadMember(parts, user, type === 'mobile' ? 'mobile' : 'dashboard')
        if (!member) throw failure('MSG_602')
        if (!isAdmitted(member, type)) throw type === 'mobile' ? failure('MSG_603') : failure('MSG_604')
        const pair = await signInToApp(parts, { user, member, appType: type, client, attempt })
        return {
          ...pair,
          ...passwordFlags(user),
          user: profileMessage(user, member),
        }
      })
      if (answer) return answer
      await logUser(parts.db, { level: 'warn', message: 'sign-in refused', meta: { type } })
      throw failure('MSG_601')
    },

    async refresh({ refreshToken: presentedToken }, context) {
      const { tokens, config } = parts
      const row = await loadCountedToken(parts, presentedToken, context)
      const kind = row?.kind === 'administrator' ? 'administrator' : 'legacy'
      if (!row || !(await checkExchange(parts, kind, row))) throw failure('MSG_601')
      const claims = await refreshedClaims(parts, row)
      const nextToken = newLegacyRefreshToken(parts, String(claims.userId))
      const expiryTimes = legacyExpiry(config, new Date())
      if (!(await exchange(parts, row, { kind, presentedToken, nextToken, ...expiryTimes }))) throw failure('MSG_601')
      return { accessToken: tokens.issue(claims, config.LEGACY_ACCESS_TOKEN_SECONDS), refreshToken: nextToken }
    },

    loginAsAdmin: (request, context) => loginAsAdmin(parts, requireCredentials(request), clientOf(context)),
    registerTemp: (request, context) => registerTemp(parts, request, clientOf(context)),
  })

/** E-mail and password, or MSG_600. */
function requireCredentials({ email, password }: Pick<LoginRequest, 'email' | 'password'>) {
  const missingFields = [...(email?.trim() ? [] : ['email']), ...(password ? [] : ['password'])]
  if (!email || !password || missingFields.length > 0) throw failure('MSG_600', missingFields.map(isRequired))
  return { email, password }
}

/** Whether the hotel of a member admits them to an app. */
function isAdmitted({ mobileAccess, dashboardAccess }: Profile, appType: string | undefined): boolean {
  return appType === 'mobile' ? mobileAccess : appType === 'dashboard' ? dashboardAccess : true
}

/** The claims of a refreshed token, from the present state of the database. MSG_601 when the user may not continue. */
async function refreshedClaims(parts: LegacyContext, row: RefreshTokenRow) {
  const { db } = parts
  if (row.administrator_id) {
    const admin = await administratorById(db, row.administrator_id)
    if (!admin) throw failure('MSG_601')
    return administratorClaims(admin, row.session_id)
  }
  const user = row.user_id ? await userById(db, row.user_id) : undefined
  if (!user?.is_active) throw failure('MSG_601')
  const appType = toAppType(row.app_type)
  const member = await loadMember(parts, user, appType)
  if (!member) throw failure('MSG_602')
  if (!isAdmitted(member, appType)) throw failure('MSG_601')
  return legacyClaims(user, member, row.session_id)
}
