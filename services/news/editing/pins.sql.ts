import type { Insertable } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { categoryOfPage, listColumns } from '../pages/list.sql.ts'
import type { NewsDb, NewsTables, NewsTrx } from '../tables.ts'

/** Pins a page; an existing pin gets the new order and expiry. */
export async function upsertPin(trx: NewsTrx, pin: Insertable<NewsTables['pins']>): Promise<void> {
  const { sort_order, expires_at, updated_at } = pin
  await trx.insertInto('pins').values(pin).onDuplicateKeyUpdate({ sort_order, expires_at, updated_at }).execute()
}

/** Live pins by order, then latest first, with their pages; the pin of one page if an id is given. */
export const listPins = (db: NewsDb, tenant: Tenant, now: Date, pageId?: string) =>
  db
    .selectFrom('pins as n')
    .innerJoin('pages as p', join =>
      join
        .onRef('p.id', '=', 'n.page_id')
        .onRef('p.workspace_id', '=', 'n.workspace_id')
        .on('p.deleted_at', 'is', null),
    )
    .leftJoin('categories as c', categoryOfPage)
    .select([
      'n.id as pin_id',
      'n.pinned_by',
      'n.sort_order',
      'n.expires_at',
      'n.created_at as pin_created_at',
      'n.updated_at as pin_updated_at',
    ])
    .select(listColumns)
    .where('n.workspace_id', '=', tenant.workspaceId)
    .where(eb => eb.or([eb('n.expires_at', 'is', null), eb('n.expires_at', '>', now)]))
    .$if(pageId !== undefined, query => query.where('n.page_id', '=', pageId ?? ''))
    .orderBy('n.sort_order')
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .execute()
