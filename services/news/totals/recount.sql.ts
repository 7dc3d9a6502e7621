import { type RawBuilder, sql } from 'kysely'

/** Counters that were compared, and how many of them were wrong. */
export type Found = { checked: number; wrong: number }

/** A predicate on a column that holds workspace ids; none for an empty id. */
export const inWorkspace = (workspaceId: string, column: string): RawBuilder<unknown> =>
  workspaceId ? sql`${sql.ref(column)} = ${workspaceId}` : sql`1 = 1`

/** What the counters of each page must say. */
export const trueCounters = sql`
  select p.id,
    (select count(*) from likes l where l.page_id = p.id) as likes,
    (select count(*) from comments c where c.page_id = p.id and c.deleted_at is null) as comments,
    (select coalesce(sum(d.views), 0) from page_days d where d.page_id = p.id) as views
  from pages p`
