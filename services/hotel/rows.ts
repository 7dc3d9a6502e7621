import type { HandlerContext } from '@connectrpc/connect'
import { sql } from 'kysely'
import { isPlatformCaller, openTenantsOf } from '../kernel/access/access.ts'

/** The database's clock: leases and retries of several machines must agree on it. */
export const now = sql<Date>`now(3)`

/** Ids of the caller's hotels; undefined for callers who see all. */
export function hotelsOf(context: HandlerContext): string[] | undefined {
  if (isPlatformCaller(context)) return undefined
  const { ecosystems, workspaces } = openTenantsOf(context)
  return [...new Set([...ecosystems, ...workspaces].map(one => one.ecosystemId))]
}
