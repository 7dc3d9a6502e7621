import type { Transaction } from 'kysely'
import type { Profile } from '../../../gen/platform/member/v1/profiles_pb.ts'
import type { AccessClaims, Tokens } from '../../kernel/access/tokens.ts'
import { newId } from '../../kernel/base/ids.ts'
import { digest, newToken } from '../../kernel/base/secrets.ts'
import { type Config, lifetimes } from '../config.ts'
import type { ClientInfo } from '../context.ts'
import type { AuthTables } from '../tables.ts'
import type { UserRow } from '../users/users.sql.ts'
import { insertRefreshToken } from './refresh-tokens.sql.ts'
import { insertSession } from './sessions.sql.ts'

type Issuer = { tokens: Tokens; config: Config }

/** A pair of tokens in the modern version's response. */
export type Pair = { accessToken: string; refreshToken: string; expiresIn: number }

/** Claims of a modern access token; without a member the member claims are empty. */
const modernClaims = (
  user: Pick<UserRow, 'id' | 'email' | 'is_admin'>,
  profile: Profile | undefined,
  sessionId: string,
): Omit<AccessClaims, 'iat' | 'exp'> => ({
  userId: user.id,
  email: user.email ?? '',
  isAdmin: user.is_admin === 1,
  memberId: profile?.id ?? null,
  workspaceId: profile?.workspaces[0]?.id ?? null,
  roles: profile?.roles ?? [],
  permissions: profile?.permissions ?? [],
  kind: 'modern',
  sessionId,
})

type SignInOwner = { user: UserRow; profile: Profile | undefined; client: ClientInfo }

/** Opens a session in the running transaction. */
export async function openModernSession(
  issuer: Issuer,
  trx: Transaction<AuthTables>,
  { user, profile, client }: SignInOwner,
): Promise<Pair> {
  const now = new Date()
  const sessionId = newId()
  const expiresAt = new Date(now.getTime() + lifetimes.refreshToken)
  const refreshToken = newToken()
  await insertSession(
    trx,
    {
      id: sessionId,
      user_id: user.id,
      member_id: profile?.id ?? null,
      user_agent: client.userAgent,
      ip: client.ip,
      expires_at: expiresAt,
    },
    now,
  )
  await insertRefreshToken(trx, { digest: digest(refreshToken), sessionId, kind: 'modern', expiresAt, now })
  return issuePair(issuer, { user, profile, sessionId, refreshToken })
}

/** The response for a refresh token that is already stored. */
export function issuePair(
  { tokens, config }: Issuer,
  signIn: { user: UserRow; profile: Profile | undefined; sessionId: string; refreshToken: string },
): Pair {
  const expiresIn = config.ACCESS_TOKEN_SECONDS
  const accessToken = tokens.issue(modernClaims(signIn.user, signIn.profile, signIn.sessionId), expiresIn)
  return { accessToken, refreshToken: signIn.refreshToken, expiresIn }
}
