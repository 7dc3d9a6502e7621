import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { countRows } from '../../kernel/database/rows.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import { categoryOfPage, listColumns } from '../pages/list.sql.ts'
import type { NewsDb, NewsTrx, ReadingPreferenceRow } from '../tables.ts'

/** Preferences that a list can filter by. */
export type PreferenceFilter = Partial<Pick<ReadingPreferenceRow, 'is_favorite' | 'is_bookmarked' | 'is_following'>>

export const findPreference = (
  db: NewsDb,
  tenant: Tenant,
  pageId: string,
  memberId: string,
): Promise<ReadingPreferenceRow | undefined> =>
  db
    .selectFrom('page_preferences')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()

/** Writes the columns that are set; others keep their value or get their default. */
export async function upsertPreference(
  trx: NewsTrx,
  key: Pick<ReadingPreferenceRow, 'page_id' | 'member_id' | 'workspace_id'>,
  set: Partial<ReadingPreferenceRow> & { updated_at: Date },
): Promise<void> {
  await trx
    .insertInto('page_preferences')
    .values({ ...preferenceDefaults, ...key, ...set })
    .onDuplicateKeyUpdate(set)
    .execute()
}

export const preferenceDefaults = {
  is_favorite: 0,
  is_bookmarked: 0,
  is_following: 0,
  notify_on_comment: 1,
  notify_on_like: null,
}

/**
 * Preferences of a member with the pages they see. The straight join starts at the preferences, whatever the optimiser
 * estimates.
 */
const preferredPages = (db: NewsDb, tenant: Tenant, memberId: string, seesAll: boolean, filter: PreferenceFilter) =>
  db
    .selectFrom('page_preferences as f')
    .innerJoin('pages as p', join =>
      join
        .onRef('p.id', '=', 'f.page_id')
        .onRef('p.workspace_id', '=', 'f.workspace_id')
        .on('p.deleted_at', 'is', null),
    )
    .modifyFront(sql`straight_join`)
    .where('f.workspace_id', '=', tenant.workspaceId)
    .where('f.member_id', '=', memberId)
    .where(eb => eb.and(filter))
    .$if(!seesAll, query =>
      query.where(eb => eb.or([eb('p.status', '=', 'published'), eb('p.created_by_id', '=', memberId)])),
    )

/** One page of preferences, latest change first. */
export const listPreferences = (
  db: NewsDb,
  tenant: Tenant,
  memberId: string,
  seesAll: boolean,
  filter: PreferenceFilter,
  { limit, offset }: Paging,
) =>
  preferredPages(db, tenant, memberId, seesAll, filter)
    .leftJoin('categories as c', categoryOfPage)
    .select([
      'f.page_id',
      'f.member_id',
      'f.workspace_id',
      'f.is_favorite',
      'f.is_bookmarked',
      'f.is_following',
      'f.notify_on_comment',
      'f.notify_on_like',
      'f.updated_at',
    ])
    .select(listColumns)
    .orderBy('f.updated_at', 'desc')
    .orderBy('f.page_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countPreferences = (
  db: NewsDb,
  tenant: Tenant,
  memberId: string,
  seesAll: boolean,
  filter: PreferenceFilter,
): Promise<number> => countRows(preferredPages(db, tenant, memberId, seesAll, filter))
