import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** A statement that names more than these takes long to plan, reads all there is, or is larger than the server takes. */
const mostNamed = 1000

/** Parts that one statement each may name. */
export const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / mostNamed) }, (_, at) => all.slice(at * mostNamed, (at + 1) * mostNamed))

/** One form for every spelling of an address: composed, trimmed, lower case. */
export const normalisedEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase()
