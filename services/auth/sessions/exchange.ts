import type { HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import { digest } from '../../kernel/base/secrets.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { limitOf } from '../../kernel/rpc/limits/limit-option.ts'
import { type Context, clientOf } from '../context.ts'
import type { Tables, TokenKind } from '../tables.ts'
import { tellRevoked } from '../users/events.ts'
import { insertRefreshToken, type PresentedToken, spend, presentedToken } from './refresh-tokens.sql.ts'
import { endSessions, extendSession, ownerOf } from './sessions.sql.ts'

/** Two exchanges this close together are one client's race, not a thief, in ms. */
const raceMs = 10_000

type Exchange = {
  kind: TokenKind
  /** The refresh token that the client presented, and the one it shall get. */
  presented: string
  next: string
  /** When the next refresh token, and when the access token beside it ends. */
  expiresAt: Date
  accessEndsAt: Date
}

type Exchanging = Pick<Context, 'db' | 'config'>

const day = 86_400_000

/** When the session of a token ends, however often it is refreshed. */
const lastMoment = ({ config }: Pick<Context, 'config'>, { session_since }: PresentedToken): Date =>
  new Date(session_since.getTime() + config.SESSION_MAX_DAYS * day)

/** Whether a presented refresh token may be exchanged. Ends the family of one that was used before. */
export async function mayExchange(parts: Exchanging, kind: TokenKind, row: PresentedToken): Promise<boolean> {
  const { db } = parts
  const now = new Date()
  if (row.kind !== kind || row.expires_at <= now || lastMoment(parts, row) <= now) return false
  if (row.used_at) {
    if (now.getTime() - row.used_at.getTime() > raceMs) await endFamily(db, row, now)
    return false
  }
  return !row.is_revoked && row.session_active === 1
}

/** Spends the presented token and stores the next one. False when another exchange of it was faster. */
export async function exchange(
  parts: Exchanging,
  row: PresentedToken,
  { kind, presented, next, expiresAt, accessEndsAt }: Exchange,
): Promise<boolean> {
  const ends = earlier(expiresAt, lastMoment(parts, row))
  const now = new Date()
  return inTransaction(parts.db, async trx => {
    if (!(await spend(trx, digest(presented), now))) return false
    await insertRefreshToken(trx, { digest: digest(next), sessionId: row.session_id, kind, expiresAt: ends, now })
    await extendSession(trx, row.session_id, later(ends, accessEndsAt), now)
    return true
  })
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b)
const later = (a: Date, b: Date): Date => (a > b ? a : b)

/** Somebody holds a copy: neither of the two may go on. */
async function endFamily(db: Kysely<Tables>, row: PresentedToken, now: Date): Promise<void> {
  await inTransaction(db, async trx => {
    const { sessions } = await endSessions(trx, { sessionIds: [row.session_id] }, now)
    const owner = ownerOf(row)
    if (sessions > 0 && owner) await tellRevoked(trx, owner, { sessionId: row.session_id })
  })
}

/**
 * A refresh token with its session, undefined when it is unknown. The call is counted as ADDRESS_LIMIT_UNKNOWN_TOKEN
 * says: by the session whose tokens it refreshes, or for an unknown token by that and by the client address.
 */
export async function countedToken(
  { db, limits }: Pick<Context, 'db' | 'limits'>,
  token: string,
  context: HandlerContext,
): Promise<PresentedToken | undefined> {
  const { ip, answer } = clientOf(context)
  const row = await presentedToken(db, digest(token))
  if (!row) await limits.anonymous(answer, ip)
  const policy = limitOf(context.method)?.policy ?? ''
  await limits.subject(answer, { policy, value: row?.session_id ?? token, own: true })
  return row
}
