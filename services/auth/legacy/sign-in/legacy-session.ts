import type { Transaction } from 'kysely'
import { newId } from '../../../kernel/base/ids.ts'
import { digest, newToken } from '../../../kernel/base/secrets.ts'
import { type Config, lifetimes } from '../../config.ts'
import type { ClientInfo } from '../../context.ts'
import { insertRefreshToken } from '../../sessions/refresh-tokens.sql.ts'
import { insertSession } from '../../sessions/sessions.sql.ts'
import type { AuthTables, TokenKind } from '../../tables.ts'
import type { LegacyContext } from '../context.ts'

/** A new refresh token: the claims userId and jti, encrypted. */
export const newLegacyRefreshToken = ({ refreshBox }: Pick<LegacyContext, 'refreshBox'>, ownerId: string): string =>
  refreshBox.seal(JSON.stringify({ userId: ownerId, jti: newToken() }))

/** When the refresh token and the access token of a pair expire. */
export const legacyExpiry = (config: Config, now: Date): { expiresAt: Date; accessEndsAt: Date } => ({
  expiresAt: new Date(now.getTime() + lifetimes.refreshToken),
  accessEndsAt: new Date(now.getTime() + config.LEGACY_ACCESS_TOKEN_SECONDS * 1000),
})

type Owner = { userId: string; memberId: string } | { administratorId: string }

/**
 * Opens a legacy session in the running transaction.
 * @returns its id and first refresh token
 */
export async function openLegacySession(
  parts: Pick<LegacyContext, 'refreshBox' | 'config'>,
  trx: Transaction<AuthTables>,
  { owner, appType, client }: { owner: Owner; appType: string | null; client: ClientInfo },
): Promise<{ sessionId: string; refreshToken: string }> {
  const now = new Date()
  const sessionId = newId()
  const { expiresAt, accessEndsAt } = legacyExpiry(parts.config, now)
  const isUser = 'userId' in owner
  await insertSession(
    trx,
    {
      id: sessionId,
      ...(isUser ? { user_id: owner.userId, member_id: owner.memberId } : { administrator_id: owner.administratorId }),
      app_type: appType,
      user_agent: client.userAgent,
      ip: client.ip,
      // As long as the longer-lived of its tokens.
      expires_at: accessEndsAt > expiresAt ? accessEndsAt : expiresAt,
    },
    now,
  )
  const refreshToken = newLegacyRefreshToken(parts, isUser ? owner.userId : owner.administratorId)
  const kind: TokenKind = isUser ? 'legacy' : 'administrator'
  await insertRefreshToken(trx, { digest: digest(refreshToken), sessionId, kind, expiresAt, now })
  return { sessionId, refreshToken }
}
