import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Db } from '../tables.ts'

/** From this many entries on, a list stores their number, so that the next one counts only what came later. */
const maxUncounted = 1_000
/** Entries of transactions that began earlier are all committed. */
const settledAfter = sql`interval 1 hour`

/** Number of entries of a workspace; without one, of those that belong to no single workspace. */
export async function loadEntryTotal(db: Db, tenant: Tenant | undefined): Promise<number> {
  const allTenants = exempt(db, 'the workspace of the call, or entries of none')
  const workspaceId = tenant?.workspaceId ?? ''
  const storedTotal = await allTenants
    .selectFrom('audit_totals')
    .select(['counted_until', 'total'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  const entries = allTenants
    .selectFrom('audit_entries')
    .select(eb => eb.fn.countAll<number>().as('total'))
    .$if(storedTotal !== undefined, query => query.where('created_at', '>=', storedTotal?.counted_until ?? new Date(0)))
    .where('workspace_id', tenant ? '=' : 'is', tenant?.workspaceId ?? null)
  const laterCount = Number((await entries.executeTakeFirstOrThrow()).total)
  const countBefore = Number(storedTotal?.total ?? 0)
  if (laterCount < maxUncounted) return countBefore + laterCount

  const until = (await sql<{ at: Date }>`select now(3) - ${settledAfter} as at`.execute(db)).rows[0]?.at ?? new Date(0)
  if (storedTotal && until <= storedTotal.counted_until) return countBefore + laterCount
  const settledTotal = await entries.where('created_at', '<', until).executeTakeFirstOrThrow()
  const row = { counted_until: until, total: countBefore + Number(settledTotal.total) }
  await db
    .insertInto('audit_totals')
    .values({ workspace_id: workspaceId, ...row })
    .onDuplicateKeyUpdate(row)
    .execute()
  return countBefore + laterCount
}
