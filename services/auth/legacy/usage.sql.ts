import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

export type Calls = { day: string; route: string; client: string; calls: number; last: Date }

/** Clients that a day's counts tell apart: names come from outside, and anybody may make some up. */
const clientsPerDay = 500

/** Adds calls to the counts of their day; those of one client too many count as `others`. */
export async function addCalls(db: Kysely<Tables>, { day, route, client, calls, last }: Calls): Promise<void> {
  const known = await db
    .selectFrom('route_usage')
    .select(eb => [
      eb.fn.count<string>('client').distinct().as('clients'),
      sql<string>`coalesce(max(client = ${client}), 0)`.as('is_known'),
    ])
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  const isNamed = Number(known.is_known) === 1 || Number(known.clients) < clientsPerDay
  await sql`
    insert into route_usage (day, route, client, calls, last_called_at)
    values (${day}, ${route}, ${isNamed ? client : 'others'}, ${calls}, ${last})
    on duplicate key update
      calls = calls + ${calls},
      last_called_at = greatest(last_called_at, ${last})
  `.execute(db)
}

/** Calls per route and client since a day, most called first. */
export const usageSince = (db: Kysely<Tables>, day: string) =>
  db
    .selectFrom('route_usage')
    .select(['route', 'client'])
    .select(eb => [eb.fn.sum<string>('calls').as('calls'), eb.fn.max('last_called_at').as('last_called_at')])
    .where('day', '>=', day)
    .groupBy(['route', 'client'])
    .orderBy('calls', 'desc')
    .orderBy('route')
    .orderBy('client')
    .limit(1000)
    .execute()

/** Forgets counts from before a day. */
export const deleteOldCalls = (db: Kysely<Tables>, day: string) =>
  db.deleteFrom('route_usage').where('day', '<', day).limit(5_000).execute()
