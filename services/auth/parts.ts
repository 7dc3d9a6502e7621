import type { HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import { actorKey, claimsOfActor } from '../kernel/access/actor.ts'
import { ForbiddenError, UnauthorizedError } from '../kernel/base/errors.ts'
import { type Language, spokenLanguage } from '../kernel/base/language.ts'
import type { Log } from '../kernel/process/log.ts'
import type { Cipher } from '../kernel/base/secrets.ts'
import { headerText } from '../kernel/base/text.ts'
import type { AccessClaims, Tokens } from '../kernel/access/tokens.ts'
import type { Config } from './config.ts'
import type { Hasher } from './hashing.ts'
import type { Limits } from './limits.ts'
import type { Mails } from './mails.ts'
import type { Members } from './members.ts'
import type { Tables } from './tables.ts'
import { type UserAndSession, userAndSession, type UserRow } from './users.sql.ts'

/** What the handlers of this service are made of. */
export type Parts = {
  db: Kysely<Tables>
  config: Config
  hasher: Hasher
  limits: Limits
  tokens: Tokens
  members: Members
  mails: Mails
  /** Seals apiSecrets and other stored secrets. */
  stored: Cipher
  log: Log
}

/** Where a call comes from, as the edge saw it. */
export type Client = {
  ip: string | null
  userAgent: string | null
  /** What the caller's browser speaks. */
  language: Language | undefined
  /** The headers of its answer, which tell of the limits it is counted against. */
  answer: Headers
}

/** Any form of an address, some with a port or a zone. What a proxy hands on may be none, and would not be stored. */
const addressForm = /^[!-~]{1,64}$/

export const clientOf = (context: HandlerContext): Client => ({
  ip: addressForm.exec(context.requestHeader.get('x-client-ip') ?? '')?.[0] ?? null,
  userAgent: headerText(context.requestHeader.get('user-agent'))?.slice(0, 1000) ?? null,
  language: spokenLanguage(context.requestHeader.get('accept-language')),
  answer: context.responseHeader,
})

/** The claims of the token that came with the call, undefined without one. */
export function claimsOf(context: HandlerContext): AccessClaims | undefined {
  return claimsOfActor(context.values.get(actorKey))
}

/** The caller's live account. UnauthorizedError once it is deactivated or the session of its token has ended. */
export async function signedIn({ db }: Pick<Parts, 'db'>, context: HandlerContext): Promise<SignedIn> {
  const claims = claimsOf(context)
  // A legacy Administrator has a token and no account.
  if (claims?.kind === 'administrator') throw new ForbiddenError()
  if (!claims) throw new UnauthorizedError()
  const user = await userAndSession(db, claims.userId, claims.sessionId)
  if (!user?.is_active || user.deleted_at || !isFresh(claims, user)) throw new UnauthorizedError()
  return { user, claims, sessionId: claims.sessionId ?? undefined }
}

export type SignedIn = { user: UserRow; claims: AccessClaims; sessionId: string | undefined }

/** Whether the session of a token still runs and no revocation came after the token was made. */
function isFresh(claims: AccessClaims, { session_active, tokens_valid_from }: UserAndSession): boolean {
  if (claims.sessionId && session_active !== 1) return false
  return !tokens_valid_from || claims.iat >= Math.floor(tokens_valid_from.getTime() / 1000)
}
