import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** The canonical spelling of an address: composed, trimmed, lower case. */
export const normalisedEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase()
