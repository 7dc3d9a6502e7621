import type { HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import { digest } from '../../kernel/base/secrets.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { limitOf, pageSessionHeader } from '../../kernel/rpc/limits/limit-option.ts'
import { type Context, clientOf } from '../context.ts'
import type { AuthTables, TokenKind } from '../tables.ts'
import { publishRevoked } from '../users/events.ts'
import { insertRefreshToken, loadRefreshToken, type RefreshTokenRow, useToken } from './refresh-tokens.sql.ts'
import { endSessions, extendSession, ownerOf } from './sessions.sql.ts'

/** Time in ms within which a second exchange of a token counts as a race of one client, not as theft. */
const raceMs = 10_000

type Exchange = {
  kind: TokenKind
  /** The refresh token that the client presented. */
  presentedToken: string
  nextToken: string
  /** When the next refresh token and its access token expire. */
  expiresAt: Date
  accessEndsAt: Date
}

type ExchangeContext = Pick<Context, 'db' | 'config'>

const dayMs = 86_400_000

/** The latest end of a token's session, however often it is refreshed. */
const sessionEndsAt = ({ config }: Pick<Context, 'config'>, { session_since }: RefreshTokenRow): number =>
  session_since.getTime() + config.SESSION_MAX_DAYS * dayMs

/** Whether a refresh token may be exchanged. Ends its session when the token was used before: it may be stolen. */
export async function checkExchange(parts: ExchangeContext, kind: TokenKind, row: RefreshTokenRow): Promise<boolean> {
  const { db } = parts
  const now = new Date()
  if (row.kind !== kind || row.expires_at <= now || sessionEndsAt(parts, row) <= now.getTime()) return false
  if (row.used_at) {
    if (now.getTime() - row.used_at.getTime() > raceMs) await endStolenSession(db, row, now)
    return false
  }
  return !row.is_revoked && row.session_active === 1
}

/** Consumes the presented token and stores the next one. False when a concurrent exchange was first. */
export async function exchange(
  parts: ExchangeContext,
  row: RefreshTokenRow,
  { kind, presentedToken, nextToken, expiresAt, accessEndsAt }: Exchange,
): Promise<boolean> {
  const tokenEndsAt = new Date(Math.min(expiresAt.getTime(), sessionEndsAt(parts, row)))
  const now = new Date()
  return inTransaction(parts.db, async trx => {
    if (!(await useToken(trx, digest(presentedToken), now))) return false
    await insertRefreshToken(trx, {
      digest: digest(nextToken),
      sessionId: row.session_id,
      kind,
      expiresAt: tokenEndsAt,
      now,
    })
    const endsAt = new Date(Math.max(tokenEndsAt.getTime(), accessEndsAt.getTime()))
    await extendSession(trx, row.session_id, endsAt, now)
    return true
  })
}

/** The token was copied, so owner and thief must both sign in again. */
async function endStolenSession(db: Kysely<AuthTables>, row: RefreshTokenRow, now: Date): Promise<void> {
  await inTransaction(db, async trx => {
    const { sessions } = await endSessions(trx, { sessionIds: [row.session_id] }, now)
    const owner = ownerOf(row)
    if (sessions > 0 && owner) await publishRevoked(trx, owner, { sessionId: row.session_id })
  })
}

/**
 * Loads a refresh token with its session, and counts the call: by the session, or for an unknown token by the token and
 * by the client address. Calls of a page of the edge count for that page's limit alone.
 * @returns undefined for an unknown token
 */
export async function loadCountedToken(
  { db, limits }: Pick<Context, 'db' | 'limits'>,
  token: string,
  context: HandlerContext,
): Promise<RefreshTokenRow | undefined> {
  const { ip, responseHeaders } = clientOf(context)
  const row = await loadRefreshToken(db, digest(token))
  if (context.requestHeader.has(pageSessionHeader)) {
    await limits.countPageSession({ responseHeaders, ip }, row?.session_id)
    return row
  }
  if (!row) await limits.countAnonymous(responseHeaders, ip)
  const policy = limitOf(context.method)?.policy ?? ''
  await limits.countSubject(responseHeaders, { policy, value: row?.session_id ?? token, isCallersOwn: true })
  return row
}
