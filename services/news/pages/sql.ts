import { type Insertable, type Kysely, sql, type Updateable } from 'kysely'
import type { ActingMember } from '../../kernel/access/callers.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import { countRows } from '../../kernel/database/rows.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import { type SearchedPage, upsertSearchRow } from '../search/texts.sql.ts'
import type { NewsDb, NewsTables, NewsTrx, PageRow } from '../tables.ts'
import { categoryOfPage } from './list.sql.ts'

const live = (db: NewsDb, tenant: Tenant) =>
  db.selectFrom('pages').where('workspace_id', '=', tenant.workspaceId).where('deleted_at', 'is', null)

/** A live page, without its body. */
export const pageQuery = (db: NewsDb, tenant: Tenant, id: string) => live(db, tenant).selectAll().where('id', '=', id)

export const findPage = (db: NewsDb, tenant: Tenant, id: string): Promise<PageRow | undefined> =>
  pageQuery(db, tenant, id).executeTakeFirst()

/** A live page, locked until the transaction ends. */
export const lockPage = (trx: NewsTrx, tenant: Tenant, id: string): Promise<PageRow | undefined> =>
  pageQuery(trx, tenant, id).forUpdate().executeTakeFirst()

export type HeldPage = Pick<PageRow, 'id' | 'title' | 'page_type' | 'status' | 'parent_id' | 'created_by_id'>

/** A live page that can't be deleted or moved until the transaction ends. */
export const holdPage = (trx: NewsTrx, tenant: Tenant, id: string): Promise<HeldPage | undefined> =>
  live(trx, tenant)
    .select(['id', 'title', 'page_type', 'status', 'parent_id', 'created_by_id'])
    .where('id', '=', id)
    .modifyEnd(sql`lock in share mode`)
    .executeTakeFirst()

/** A deleted page, locked. */
export const lockTrashed = (trx: NewsTrx, tenant: Tenant, id: string): Promise<PageRow | undefined> =>
  trx
    .selectFrom('pages')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()

type NewPageRow = Insertable<NewsTables['pages']> & SearchedPage

export async function insertPage(trx: NewsTrx, page: NewPageRow, content: string): Promise<void> {
  await trx.insertInto('pages').values(page).execute()
  await trx.insertInto('page_bodies').values({ page_id: page.id, workspace_id: page.workspace_id, content }).execute()
  await upsertSearchRow(trx, page)
}

/** Updates columns of a locked page, deleted or not. */
export async function writePage(
  trx: NewsTrx,
  tenant: Tenant,
  id: string,
  set: Updateable<NewsTables['pages']>,
): Promise<void> {
  await exempt(trx, 'restores deleted pages as well')
    .updateTable('pages')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function writeBody(trx: NewsTrx, tenant: Tenant, id: string, content: string): Promise<void> {
  await trx
    .updateTable('page_bodies')
    .set({ content })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', id)
    .execute()
}

/** Moves the live children of a page to the root. */
export async function moveChildrenToRoot(trx: NewsTrx, tenant: Tenant, id: string): Promise<void> {
  await trx
    .updateTable('pages')
    .set({ parent_id: null })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('parent_id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}

const switchByCounter = { like_count: 'enable_likes', comment_count: 'enable_comments' } as const

/**
 * Changes a counter of a live page, and locks the page until the transaction ends.
 * @returns false when the page is gone, or accepts no more of them
 */
export async function moveCount(
  trx: NewsTrx,
  tenant: Tenant,
  id: string,
  counter: keyof typeof switchByCounter,
  by: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('pages')
    .set({ [counter]: sql`${sql.ref(counter)} + ${by}` })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(by > 0, query => query.where(switchByCounter[counter], '=', 1))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The children of a page, oldest first. */
export const childrenOf = (db: NewsDb, tenant: Tenant, id: string) =>
  live(db, tenant)
    .select(['id', 'title', 'status', 'created_by_id'])
    .where('parent_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Whose unpublished pages are included: all of them, or this member's. */
type TrashScope = { seesAll: boolean; memberId: string }

const trashedQuery = (db: NewsDb, tenant: Tenant, { seesAll, memberId }: TrashScope) =>
  db
    .selectFrom('pages')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is not', null)
    .$if(!seesAll, query =>
      query.where(eb => eb.or([eb('status', '=', 'published'), eb('created_by_id', '=', memberId)])),
    )

/** Deleted pages, latest deletion first. */
export const trashedPages = (db: NewsDb, tenant: Tenant, scope: TrashScope, { limit, offset }: Paging) =>
  trashedQuery(db, tenant, scope)
    .select(['id', 'title', 'page_type', 'status', 'created_by_id', 'deleted_at'])
    .orderBy('deleted_at', 'desc')
    .orderBy('published_at', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countTrashed = (db: NewsDb, tenant: Tenant, scope: TrashScope): Promise<number> =>
  countRows(trashedQuery(db, tenant, scope))

/** The editor document of a page as text. */
export async function readBody(db: NewsDb, tenant: Tenant, id: string): Promise<string> {
  const row = await db
    .selectFrom('page_bodies')
    .select('content')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', id)
    .executeTakeFirstOrThrow()
  return row.content
}

/** A live category that can't be deleted until the transaction ends. */
export const holdCategory = (trx: NewsTrx, tenant: Tenant, id: string) =>
  trx
    .selectFrom('categories')
    .select(['name as category_name', 'icon as category_icon', 'color as category_color'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .where('id', '=', id)
    .modifyEnd(sql`lock in share mode`)
    .executeTakeFirst()

type Announced = Pick<PageRow, 'id' | 'workspace_id' | 'version' | 'title' | 'excerpt' | 'medias'>

/** Stores the page's content as the revision of its version. */
export async function writeRevision(
  trx: NewsTrx,
  page: Announced,
  content: string,
  changedFields: string[],
  by: ActingMember | undefined,
): Promise<void> {
  await trx
    .insertInto('page_revisions')
    .values({
      id: newId(),
      workspace_id: page.workspace_id,
      page_id: page.id,
      version: page.version,
      title: page.title,
      excerpt: page.excerpt,
      content,
      medias: page.medias,
      changed_fields: JSON.stringify(changedFields),
      created_by_id: by?.memberId ?? null,
      credential_id: by?.credentialId ?? null,
      created_at: new Date(),
    })
    .execute()
}

export async function removePin(trx: NewsTrx, tenant: Tenant, pageId: string): Promise<void> {
  await trx.deleteFrom('pins').where('workspace_id', '=', tenant.workspaceId).where('page_id', '=', pageId).execute()
}

/** A page with everything shown of it, and the member's interactions. */
export const readPage = (db: Kysely<NewsTables>, { workspaceId }: Tenant, id: string, memberId: string) =>
  db
    .selectFrom('pages as p')
    .innerJoin('page_bodies as b', join =>
      join.onRef('b.page_id', '=', 'p.id').onRef('b.workspace_id', '=', 'p.workspace_id'),
    )
    .leftJoin('categories as c', categoryOfPage)
    .leftJoin('pages as up', join =>
      join
        .onRef('up.id', '=', 'p.parent_id')
        .onRef('up.workspace_id', '=', 'p.workspace_id')
        .on('up.deleted_at', 'is', null),
    )
    .leftJoin('likes as l', join =>
      join
        .onRef('l.page_id', '=', 'p.id')
        .onRef('l.workspace_id', '=', 'p.workspace_id')
        .on('l.member_id', '=', memberId),
    )
    .leftJoin('page_viewers as v', join =>
      join
        .onRef('v.page_id', '=', 'p.id')
        .onRef('v.workspace_id', '=', 'p.workspace_id')
        .on('v.member_id', '=', memberId),
    )
    .leftJoin('page_preferences as f', join =>
      join
        .onRef('f.page_id', '=', 'p.id')
        .onRef('f.workspace_id', '=', 'p.workspace_id')
        .on('f.member_id', '=', memberId),
    )
    .leftJoin('acknowledgements as a', join =>
      join
        .onRef('a.page_id', '=', 'p.id')
        .onRef('a.workspace_id', '=', 'p.workspace_id')
        .on('a.member_id', '=', memberId),
    )
    .selectAll('p')
    .select([
      'b.content',
      'c.name as category_name',
      'c.icon as category_icon',
      'c.color as category_color',
      'up.title as parent_title',
      'up.status as parent_status',
      'up.created_by_id as parent_created_by_id',
      'l.reaction_type',
      'v.member_id as viewed_by',
      'f.is_favorite',
      'f.is_bookmarked',
      'f.is_following',
      'a.created_at as acknowledged_at',
    ])
    .where('p.workspace_id', '=', workspaceId)
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()

/** A page with what is shown beside it; a new one has its own columns only. */
export type ShownRow = NewPageRow & { version: number; content: string } & Partial<
    NonNullable<Awaited<ReturnType<typeof readPage>>>
  >
