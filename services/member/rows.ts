import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** Maximum of ids in one statement: larger ones plan slowly, scan the table, or exceed the server's packet size. */
const mostNamed = 1000

/** Splits ids into parts that fit one statement each. */
export const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / mostNamed) }, (_, at) => all.slice(at * mostNamed, (at + 1) * mostNamed))

/** The canonical spelling of an address: composed, trimmed, lower case. */
export const normalisedEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase()
