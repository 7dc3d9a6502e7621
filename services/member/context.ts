import type { Rights } from '../kernel/access/rights.ts'
import type { Cipher } from '../kernel/base/secrets.ts'
import type { Bus } from '../kernel/bus/bus.ts'
import type { Runtime } from '../kernel/rpc/host.ts'
import type { Db } from './tables.ts'

/** Builds invitation links, and the cipher that hides them on the bus. */
export type Links = { linkOf(token: string): string; box: Cipher }

/** What the handlers of this service share. */
export type Context = {
  db: Db
  bus: Bus
  links: Links
  /** Encrypts stored secrets. */
  box: Cipher
  rights: Rights
} & Pick<Runtime, 'client' | 'log'>
