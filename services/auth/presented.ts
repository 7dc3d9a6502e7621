import type { HandlerContext } from '@connectrpc/connect'
import { limitOf } from '../kernel/rpc/limits/limit-option.ts'
import { digest } from '../kernel/base/secrets.ts'
import { clientOf, type Parts } from './parts.ts'
import { type PresentedToken, presentedToken } from './refresh-tokens.sql.ts'

/**
 * A refresh token with its session, undefined when it is unknown. The call is counted as ADDRESS_LIMIT_UNKNOWN_TOKEN
 * says: by the session whose tokens it refreshes, or for an unknown token by that and by the client address.
 */
export async function countedToken(
  { db, limits }: Pick<Parts, 'db' | 'limits'>,
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
