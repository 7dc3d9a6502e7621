import { type Kysely, sql } from 'kysely'
import { addressKey } from '../../kernel/base/client-address.ts'
import type { AuthTables } from '../tables.ts'

export type Hits = { hits: number; resetSeconds: number }

/** Hits and seconds are one number, hits × this + seconds: larger than the seconds of any window. */
const hitsFactor = 1_000_000

/**
 * Counts one hit. A single statement, so that concurrent processes can't interfere: last_insert_id() returns count and
 * time as one number. MySQL assigns from left to right.
 * @returns the hits in the running window and when it ends
 */
export async function countHit(db: Kysely<AuthTables>, name: string, now: Date, windowSeconds: number): Promise<Hits> {
  const endsAt = new Date(now.getTime() + windowSeconds * 1000)
  const first = hitsFactor + windowSeconds
  const { insertId } = await sql`
    insert into rate_counters (name, hits, ends_at)
    values (${name}, last_insert_id(${first}) div ${sql.lit(hitsFactor)}, ${endsAt})
    on duplicate key update
      hits = last_insert_id(case
        when ends_at <= ${now} then ${first}
        else (hits + 1) * ${sql.lit(hitsFactor)} + timestampdiff(second, ${now}, ends_at) + 1
      end) div ${sql.lit(hitsFactor)},
      ends_at = case when ends_at <= ${now} then ${endsAt} else ends_at end
  `.execute(db)
  const hitsAndSeconds = Number(insertId ?? 0)
  return {
    hits: Math.floor(hitsAndSeconds / hitsFactor),
    resetSeconds: Math.min(hitsAndSeconds % hitsFactor, windowSeconds),
  }
}

export type Counter = { hits: number; ends_at: Date }

export const counterOf = (db: Kysely<AuthTables>, name: string): Promise<Counter | undefined> =>
  db.selectFrom('rate_counters').select(['hits', 'ends_at']).where('name', '=', name).executeTakeFirst()

/** The counters with these names that exist. */
export async function countersOf(db: Kysely<AuthTables>, names: readonly string[]): Promise<Map<string, Counter>> {
  const rows = await db
    .selectFrom('rate_counters')
    .select(['name', 'hits', 'ends_at'])
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map(({ name, ...counter }) => [name, counter]))
}

/** Takes a hit off a counter. */
export const uncountHit = (db: Kysely<AuthTables>, name: string) =>
  db
    .updateTable('rate_counters')
    .set(eb => ({ hits: eb('hits', '-', 1) }))
    .where('name', '=', name)
    .where('hits', '>', 0)
    .execute()

export const clearCounter = (db: Kysely<AuthTables>, name: string) =>
  db.deleteFrom('rate_counters').where('name', '=', name).execute()

export const deleteEndedCounters = (db: Kysely<AuthTables>, now: Date) =>
  db.deleteFrom('rate_counters').where('ends_at', '<', now).limit(50_000).execute()

/** Whether an account has signed in from an address before, as far as its stored sessions go back. */
export async function hasSignedInFrom(db: Kysely<AuthTables>, email: string, address: string | null): Promise<boolean> {
  if (address === null) return false
  const rows = await db
    .selectFrom('sessions')
    .select('ip')
    .distinct()
    .where('ip', 'is not', null)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('user_id', 'in', selectFrom('users').select('id').where('email', '=', email)),
        eb('administrator_id', 'in', selectFrom('administrators').select('id').where('email', '=', email)),
      ]),
    )
    .execute()
  return rows.some(({ ip }) => addressKey(ip) === addressKey(address))
}
