import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables.ts'

export type Calls = { day: string; route: string; client: string; calls: number; last: Date }

/** Adds calls to the counts of their day. */
export async function addCalls(db: Kysely<Tables>, { day, route, client, calls, last }: Calls): Promise<void> {
  await sql`
    insert into route_usage (day, route, client, calls, last_called_at)
    values (${day}, ${route}, ${client}, ${calls}, ${last})
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
    .limit(1000)
    .execute()
