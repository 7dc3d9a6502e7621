import type { HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import { actorKey, claimsOfActor } from '../kernel/access/actor.ts'
import type { AccessClaims, Tokens } from '../kernel/access/tokens.ts'
import { type Language, spokenLanguage } from '../kernel/base/language.ts'
import type { Cipher } from '../kernel/base/secrets.ts'
import { headerText } from '../kernel/base/text.ts'
import type { Log } from '../kernel/process/log.ts'
import type { Config } from './config.ts'
import type { Hasher } from './hashing/hashing.ts'
import type { Limits } from './limits/limits.ts'
import type { Mails } from './mails/mails.ts'
import type { Members } from './members.ts'
import type { Tables } from './tables.ts'

/** What the handlers of this service are made of. */
export type Context = {
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
