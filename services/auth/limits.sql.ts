import { type Kysely, sql } from 'kysely'
import { statement } from '../kernel/statements.ts'
import type { Tables } from './tables.ts'

export type Hits = { hits: number; resetSeconds: number }

/** More than any window has seconds. */
const place = 1_000_000

/** One hit as its statement takes it. */
export type Hit = { counter: string; now: Date; ends: Date; first: number }

/** A hit of a counter whose window begins with it, or has begun. */
export const hitOf = (counter: string, now: Date, windowSeconds: number): Hit => ({
  counter,
  now,
  ends: new Date(now.getTime() + windowSeconds * 1000),
  first: place + windowSeconds,
})

/**
 * The statement that counts a hit. It is one, so that processes cannot overtake each other: last_insert_id() carries
 * count and time back as one number. Assignments run from left to right.
 */
export const counting = ({ counter, now, ends, first }: { [Name in keyof Hit]: unknown }) => sql`
  insert into rate_counters (name, hits, ends_at)
  values (${counter}, last_insert_id(${first}) div ${sql.lit(place)}, ${ends})
  on duplicate key update
    hits = last_insert_id(case
      when ends_at <= ${now} then ${first}
      else (hits + 1) * ${sql.lit(place)} + timestampdiff(second, ${now}, ends_at) + 1
    end) div ${sql.lit(place)},
    ends_at = case when ends_at <= ${now} then ${ends} else ends_at end
`

/** The most that it carries back for so many hits and not one more. */
export const carriedAtMost = (hits: number): number => (hits + 1) * place - 1

/** What it carried back. */
export const hitsIn = (carried: number | bigint | string, windowSeconds: number): Hits => ({
  hits: Math.floor(Number(carried) / place),
  resetSeconds: Math.min(Number(carried) % place, windowSeconds),
})

const count = statement((db: Kysely<Tables>, hit: Hit) => counting(hit).compile(db))

/** Counts one hit and tells how many there are in the running window, and when that ends. */
export async function countHit(db: Kysely<Tables>, name: string, now: Date, windowSeconds: number): Promise<Hits> {
  const { insertId } = await db.executeQuery(count(db, hitOf(name, now, windowSeconds)))
  return hitsIn(insertId ?? 0, windowSeconds)
}

export type Counter = { hits: number; ends_at: Date }

export const counterOf = (db: Kysely<Tables>, name: string): Promise<Counter | undefined> =>
  db.selectFrom('rate_counters').select(['hits', 'ends_at']).where('name', '=', name).executeTakeFirst()

/** Counts by their names, those that there are. */
export async function countersOf(db: Kysely<Tables>, names: string[]): Promise<ReadonlyMap<string, Counter>> {
  const rows = await db.selectFrom('rate_counters').selectAll().where('name', 'in', names).execute()
  return new Map(rows.map(({ name, ...counter }) => [name, counter]))
}

export const clearCounter = (db: Kysely<Tables>, name: string) =>
  db.deleteFrom('rate_counters').where('name', '=', name).execute()

export const deleteEndedCounters = (db: Kysely<Tables>, now: Date) =>
  db.deleteFrom('rate_counters').where('ends_at', '<', now).limit(50_000).execute()
