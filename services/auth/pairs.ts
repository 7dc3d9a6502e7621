import type { Transaction } from 'kysely'
import { newId } from '../kernel/ids.ts'
import { digest, newToken } from '../kernel/secrets.ts'
import type { AccessClaims, Tokens } from '../kernel/tokens.ts'
import { deviceOf } from './addresses.rules.ts'
import { type Config, lifetimes } from './config.ts'
import type { Profile } from './members.ts'
import type { Client } from './parts.ts'
import { insertRefreshToken } from './refresh-tokens.sql.ts'
import { insertSession } from './sessions.sql.ts'
import type { Tables } from './tables.ts'
import type { UserRow } from './users.sql.ts'

/** A pair of tokens as the modern version answers it. */
export type Pair = { accessToken: string; refreshToken: string; expiresIn: number }

/** Claims of a modern access token (document 1, "Access token payloads"). Without a member they are empty. */
export const modernClaims = (
  user: Pick<UserRow, 'id' | 'email' | 'is_admin'>,
  profile: Profile | undefined,
  sessionId: string,
): Omit<AccessClaims, 'iat' | 'exp'> => ({
  userId: user.id,
  email: user.email ?? '',
  isAdmin: user.is_admin === 1,
  memberId: profile?.memberId ?? null,
  workspaceId: profile?.workspaces[0]?.id ?? null,
  roles: profile?.roles ?? [],
  permissions: profile?.permissions ?? [],
  kind: 'modern',
  sessionId,
})

/** Opens a session for a sign-in in the running transaction and makes its first pair of tokens. */
export async function openModernSession(
  { tokens, config }: { tokens: Tokens; config: Config },
  trx: Transaction<Tables>,
  { user, profile, client }: { user: UserRow; profile: Profile | undefined; client: Client },
): Promise<Pair> {
  const now = new Date()
  const sessionId = newId()
  const expiresAt = new Date(now.getTime() + lifetimes.refreshToken)
  await insertSession(trx, {
    id: sessionId,
    user_id: user.id,
    member_id: profile?.memberId ?? null,
    user_agent: client.userAgent,
    ip: client.ip,
    ...deviceOf(client.userAgent),
    expires_at: expiresAt,
    created_at: now,
    updated_at: now,
  })
  const refreshToken = newToken()
  await insertRefreshToken(trx, { digest: digest(refreshToken), sessionId, kind: 'modern', expiresAt, now })
  return pairOf({ tokens, config }, { user, profile, sessionId, refreshToken })
}

/** The answer for a refresh token that is stored already. */
export function pairOf(
  { tokens, config }: { tokens: Tokens; config: Config },
  made: { user: UserRow; profile: Profile | undefined; sessionId: string; refreshToken: string },
): Pair {
  const expiresIn = config.ACCESS_TOKEN_SECONDS
  const accessToken = tokens.issue(modernClaims(made.user, made.profile, made.sessionId), expiresIn)
  return { accessToken, refreshToken: made.refreshToken, expiresIn }
}
