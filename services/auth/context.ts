import type { Client, HandlerContext } from '@connectrpc/connect'
import type { Kysely } from 'kysely'
import type { SettingService } from '../../gen/platform/hotel/v1/settings_pb.ts'
import { actorKey, claimsOfActor } from '../kernel/access/actor.ts'
import type { AccessClaims, Tokens } from '../kernel/access/tokens.ts'
import { type Language, preferredLanguage } from '../kernel/base/language.ts'
import type { Cipher } from '../kernel/base/secrets.ts'
import type { Log } from '../kernel/process/log.ts'
import { userAgentOf } from '../kernel/rpc/call-headers.ts'
import type { Config } from './config.ts'
import type { Hasher } from './hashing/hashing.ts'
import type { AuthLimits } from './limits/limits.ts'
import type { Mails } from './mails/mails.ts'
import type { MemberClient } from './members.ts'
import type { AuthTables } from './tables.ts'

/** What the handlers of this service depend on. */
export type Context = {
  db: Kysely<AuthTables>
  config: Config
  hasher: Hasher
  limits: AuthLimits
  tokens: Tokens
  members: MemberClient
  hotels: Client<typeof SettingService>
  mails: Mails
  /** Seals apiSecrets and other stored secrets. */
  storedSecretCipher: Cipher
  log: Log
}

/** The client of a call, as the edge saw it. */
export type ClientInfo = {
  ip: string | null
  userAgent: string | null
  /** The language of the caller's browser. */
  language: Language | undefined
  /** They report the rate limits of the call. */
  responseHeaders: Headers
}

/** Any form of an address, some with a port or a zone. A proxy may forward other text, which can't be stored. */
const addressForm = /^[!-~]{1,64}$/

export const clientOf = (context: HandlerContext): ClientInfo => ({
  ip: addressForm.exec(context.requestHeader.get('x-client-ip') ?? '')?.[0] ?? null,
  userAgent: userAgentOf(context, 1000),
  language: preferredLanguage(context.requestHeader.get('accept-language')),
  responseHeaders: context.responseHeader,
})

/** The claims of the call's token; undefined without one. */
export function claimsOf(context: HandlerContext): AccessClaims | undefined {
  return claimsOfActor(context.values.get(actorKey))
}
