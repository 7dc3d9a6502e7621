import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Counts one hit and tells how many there are in the running window. One statement, so that processes cannot
 * overtake each other: last_insert_id() carries the new count back. Assignments run from left to right.
 */
export async function countHit(db: Kysely<Tables>, name: string, now: Date, windowMs: number): Promise<number> {
  const ends = new Date(now.getTime() + windowMs)
  const { insertId } = await sql`
    insert into rate_counters (name, hits, ends_at) values (${name}, 1, ${ends})
    on duplicate key update
      hits = last_insert_id(case when ends_at <= ${now} then 1 else hits + 1 end),
      ends_at = case when ends_at <= ${now} then ${ends} else ends_at end
  `.execute(db)
  return Number(insertId ?? 0) || 1
}

export type Counter = { hits: number; ends_at: Date }

export const counterOf = (db: Kysely<Tables>, name: string): Promise<Counter | undefined> =>
  db.selectFrom('rate_counters').select(['hits', 'ends_at']).where('name', '=', name).executeTakeFirst()

export const clearCounter = (db: Kysely<Tables>, name: string) =>
  db.deleteFrom('rate_counters').where('name', '=', name).execute()

export const deleteEndedCounters = (db: Kysely<Tables>, now: Date) =>
  db.deleteFrom('rate_counters').where('ends_at', '<', now).limit(50_000).execute()
