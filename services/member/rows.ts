import type { Kysely, Transaction } from 'kysely'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>

/** A date as a protobuf timestamp; null and undefined stay absent. */
export const timestamp = (date: Date | null | undefined) => (date ? timestampFromDate(date) : undefined)

/** A nullable column as an optional field. */
export const optional = <T>(value: T | null): T | undefined => value ?? undefined

/** One form for every spelling of an address: composed, trimmed, lower case. */
export const normalisedEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase()
