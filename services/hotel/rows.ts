import { sql } from 'kysely'
import type { HandlerContext } from '@connectrpc/connect'
import { isPlatformCaller, maybeCaller } from '../kernel/access.ts'
import { type EventActor, systemActor } from '../kernel/events.ts'

/** The database's own clock: leases and retries of several machines must agree on it. */
export const now = sql<Date>`now(3)`

/** Now plus some milliseconds, by the database's clock. */
export const inMs = (ms: number) => sql<Date>`date_add(now(3), interval ${Math.round(ms * 1000)} microsecond)`

/** Ids of the hotels that the caller belongs to; undefined for who sees all. */
export function hotelsOf(context: HandlerContext): string[] | undefined {
  if (isPlatformCaller(context)) return undefined
  const caller = maybeCaller(context)
  return [...new Set([...(caller?.ecosystems ?? []), ...(caller?.workspaces ?? [])].map(each => each.ecosystemId))]
}

/** The caller as the actor of an event. */
export function actorOf(context: HandlerContext): EventActor {
  const caller = maybeCaller(context)
  return caller ? { id: caller.memberId, name: caller.name, type: 'member' } : systemActor
}
