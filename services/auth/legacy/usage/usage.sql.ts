import { type Kysely, sql } from 'kysely'
import type { AuthTables } from '../../tables.ts'

export type Calls = { day: string; route: string; client: string; calls: number; last: Date }

/** Clients that a day's counts distinguish. Client names come from outside, so their number must be limited. */
const clientsPerDay = 500

/** Adds calls to the counts of their day; clients beyond the limit count as `others`. */
export async function addCalls(db: Kysely<AuthTables>, calls: Calls[]): Promise<void> {
  for (const [day, callsOfDay] of Map.groupBy(calls, call => call.day)) {
    const clients = await clientsOf(db, day)
    for (const { route, client, calls: count, last } of callsOfDay) {
      if (clients.size < clientsPerDay) clients.add(client)
      await sql`
        insert into route_usage (day, route, client, calls, last_called_at)
        values (${day}, ${route}, ${clients.has(client) ? client : 'others'}, ${count}, ${last})
        on duplicate key update
          calls = calls + ${count},
          last_called_at = greatest(last_called_at, ${last})
      `.execute(db)
    }
  }
}

async function clientsOf(db: Kysely<AuthTables>, day: string): Promise<Set<string>> {
  const rows = await db.selectFrom('route_usage').select('client').distinct().where('day', '=', day).execute()
  return new Set(rows.map(({ client }) => client))
}

/** Calls per route and client since a day, most frequent first. */
export const usageSince = (db: Kysely<AuthTables>, day: string) =>
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

/** Deletes counts from before a day. */
export const deleteOldCalls = (db: Kysely<AuthTables>, day: string) =>
  db.deleteFrom('route_usage').where('day', '<', day).limit(5_000).execute()
