import { type SelectQueryBuilder, sql } from 'kysely'

/** Number of rows of a query, whatever it selects. */
export async function countRows<Tables, Table extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Table, unknown>,
): Promise<number> {
  const counting = query.clearSelect().select(sql<number>`count(*)`.as('total'))
  const [row] = await counting.$castTo<{ total: number }>().execute()
  return Number(row?.total)
}
