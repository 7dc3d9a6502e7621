import type { HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import { digest } from '../../kernel/base/secrets.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { limitOf, pageSessionHeader } from '../../kernel/rpc/limits/limit-option.ts'
import { type Context, clientOf } from '../context.ts'
import type { AuthTables, TokenKind } from '../tables.ts'
import { publishRevoked } from '../users/events.ts'
import { insertRefreshToken, loadPresentedToken, type PresentedToken, useToken } from './refresh-tokens.sql.ts'
import { endSessions, extendSession, ownerOf } from './sessions.sql.ts'

/** Time in ms within which a second exchange of a token counts as a race of one client, not as theft. */
const raceMs = 10_000

type Exchange = {
  kind: TokenKind
  /** The refresh token that the client presented, and its successor. */
  presented: string
  next: string
  /** When the next refresh token and its access token expire. */
  expiresAt: Date
  accessEndsAt: Date
}

type Exchanging = Pick<Context, 'db' | 'config'>

const day = 86_400_000

/** The latest end of a token's session, however often it is refreshed. */
const sessionEndsAt = ({ config }: Pick<Context, 'config'>, { session_since }: PresentedToken): number =>
  session_since.getTime() + config.SESSION_MAX_DAYS * day

/** Whether a presented refresh token may be exchanged. Reuse of an exchanged token ends its family. */
export async function canExchange(parts: Exchanging, kind: TokenKind, row: PresentedToken): Promise<boolean> {
  const { db } = parts
  const now = new Date()
  if (row.kind !== kind || row.expires_at <= now || sessionEndsAt(parts, row) <= now.getTime()) return false
  if (row.used_at) {
    if (now.getTime() - row.used_at.getTime() > raceMs) await endFamily(db, row, now)
    return false
  }
  return !row.is_revoked && row.session_active === 1
}

/** Consumes the presented token and stores the next one. False when a concurrent exchange was first. */
export async function exchange(
  parts: Exchanging,
  row: PresentedToken,
  { kind, presented, next, expiresAt, accessEndsAt }: Exchange,
): Promise<boolean> {
  const tokenEndsAt = new Date(Math.min(expiresAt.getTime(), sessionEndsAt(parts, row)))
  const now = new Date()
  return inTransaction(parts.db, async trx => {
    if (!(await useToken(trx, digest(presented), now))) return false
    await insertRefreshToken(trx, {
      digest: digest(next),
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
async function endFamily(db: Kysely<AuthTables>, row: PresentedToken, now: Date): Promise<void> {
  await inTransaction(db, async trx => {
    const { sessions } = await endSessions(trx, { sessionIds: [row.session_id] }, now)
    const owner = ownerOf(row)
    if (sessions > 0 && owner) await publishRevoked(trx, owner, { sessionId: row.session_id })
  })
}

/**
 * A refresh token with its session; undefined when unknown. Counts the call as ADDRESS_LIMIT_UNKNOWN_TOKEN describes:
 * by the session, or for an unknown token by the token and the client address. A page's session has its own limit.
 */
export async function countPresentedToken(
  { db, limits }: Pick<Context, 'db' | 'limits'>,
  token: string,
  context: HandlerContext,
): Promise<PresentedToken | undefined> {
  const { ip, answer } = clientOf(context)
  const row = await loadPresentedToken(db, digest(token))
  if (context.requestHeader.has(pageSessionHeader)) {
    await limits.countPageSession({ answer, ip }, row?.session_id)
    return row
  }
  if (!row) await limits.countAnonymous(answer, ip)
  const policy = limitOf(context.method)?.policy ?? ''
  await limits.countSubject(answer, { policy, value: row?.session_id ?? token, own: true })
  return row
}
