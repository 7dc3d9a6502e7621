import type { Rights } from '../kernel/access/rights.ts'
import type { Cipher } from '../kernel/base/secrets.ts'
import type { Bus } from '../kernel/bus/bus.ts'
import type { Runtime } from '../kernel/rpc/host.ts'
import type { Db } from './tables.ts'

/** Tokens of mailed links. */
export type MailedTokens = {
  mailedToken(token: string): string
  /** The token of an invitation, from either form. NotFoundError for a wrong proof. */
  readToken(typed: string): { token: string; isMailed: boolean }
}

/** Builds invitation links, and encrypts them for the bus. */
export type Links = { linkOf(token: string): string; cipher: Cipher; tokens: MailedTokens }

/** What the handlers of this service share. */
export type Context = {
  db: Db
  bus: Bus
  links: Links
  secretCipher: Cipher
  rights: Rights
} & Pick<Runtime, 'client' | 'log'>
