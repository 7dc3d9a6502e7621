import type { Transaction } from 'kysely'
import type { AccessClaims, Tokens } from '../../kernel/access/tokens.ts'
import { newId } from '../../kernel/base/ids.ts'
import { digest, newToken } from '../../kernel/base/secrets.ts'
import { type Config, lifetimes } from '../config.ts'
import type { Client } from '../context.ts'
import type { Profile } from '../members.ts'
import type { Tables } from '../tables.ts'
import type { UserRow } from '../users/users.sql.ts'
import { deviceOf } from './device.ts'
import { insertRefreshToken, type NewToken } from './refresh-tokens.sql.ts'
import { insertSession, type NewSession } from './sessions.sql.ts'

type Making = { tokens: Tokens; config: Config }

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
  memberId: profile?.memberId ?? null,
  workspaceId: profile?.workspaces[0]?.id ?? null,
  roles: profile?.roles ?? [],
  permissions: profile?.permissions ?? [],
  kind: 'modern',
  sessionId,
})

type Entering = { user: UserRow; profile: Profile | undefined; client: Client }

/** The rows of a new session, and its first pair of tokens. */
export type Opening = { session: NewSession; token: NewToken; pair: Pair }

/** Builds the session of a sign-in; it opens once it is stored. */
export function newModernSession(making: Making, { user, profile, client }: Entering): Opening {
  const now = new Date()
  const sessionId = newId()
  const expiresAt = new Date(now.getTime() + lifetimes.refreshToken)
  const refreshToken = newToken()
  return {
    session: {
      id: sessionId,
      user_id: user.id,
      member_id: profile?.memberId ?? null,
      user_agent: client.userAgent,
      ip: client.ip,
      ...deviceOf(client.userAgent),
      expires_at: expiresAt,
      created_at: now,
      updated_at: now,
    },
    token: { digest: digest(refreshToken), sessionId, kind: 'modern', expiresAt, now },
    pair: pairOf(making, { user, profile, sessionId, refreshToken }),
  }
}

/** Opens a session in the running transaction. */
export async function openModernSession(making: Making, trx: Transaction<Tables>, entering: Entering): Promise<Pair> {
  const { session, token, pair } = newModernSession(making, entering)
  await insertSession(trx, session)
  await insertRefreshToken(trx, token)
  return pair
}

/** The response for a refresh token that is already stored. */
export function pairOf(
  { tokens, config }: Making,
  made: { user: UserRow; profile: Profile | undefined; sessionId: string; refreshToken: string },
): Pair {
  const expiresIn = config.ACCESS_TOKEN_SECONDS
  const accessToken = tokens.issue(modernClaims(made.user, made.profile, made.sessionId), expiresIn)
  return { accessToken, refreshToken: made.refreshToken, expiresIn }
}
