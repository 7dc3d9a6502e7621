import type { HandlerContext } from '@connectrpc/connect'
import { type Kysely, sql } from 'kysely'
import type { PageNode } from '../../../gen/platform/news/v1/pages_pb.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { deepestLevel } from '../../kernel/base/fields.ts'
import type { Context } from '../context.ts'
import type { NewsTables, NewsTrx, PageStatus } from '../tables.ts'
import { callerId, mayRead, openWorkspace, pageNotFound, seesAll } from './access.ts'
import { type HeldPage, holdCategory, holdPage } from './sql.ts'

/** The path from the root to a page and the tree below it, as far as the caller may see it. */
export async function getHierarchy({ db, ...news }: Context, id: string, context: HandlerContext) {
  const tenant = await openWorkspace({ db, ...news }, context, id)
  const memberId = callerId(tenant, context)
  const rows = await readTree(db, tenant, id, memberId, seesAll(tenant))
  const pageRow = rows.find(row => row.level === 0)
  if (!pageRow || !mayRead(tenant, memberId, pageRow)) throw pageNotFound()
  return {
    breadcrumb: rows
      .filter(row => row.level <= 0 && mayRead(tenant, memberId, row))
      .map(row => ({ id: row.id, title: row.title })),
    children: nodesBelow(id, rows),
  }
}

/** Rows below a page as a tree; parents must come before their children. */
function nodesBelow(id: string, rows: TreeRow[]): PageNode[] {
  const rootNodes: PageNode[] = []
  const lists = new Map<string, PageNode[]>([[id, rootNodes]])
  for (const row of rows) {
    if (row.level <= 0) continue
    const children: PageNode[] = []
    lists.set(row.id, children)
    lists.get(row.parent_id ?? '')?.push({
      $typeName: 'platform.news.v1.PageNode',
      id: row.id,
      title: row.title,
      pageType: row.page_type,
      status: row.status,
      children,
    })
  }
  return rootNodes
}

/**
 * Locks the category and the parent page, so that they stay. Throws NotFoundError, also for a parent that the caller may
 * not read, and ValidationError.
 */
export async function holdPlace(
  trx: NewsTrx,
  tenant: Tenant,
  memberId: string,
  { id, parent_id, category_id }: { id: string; parent_id: string | null; category_id: string | null },
) {
  const category = category_id === null ? undefined : await holdCategory(trx, tenant, category_id)
  if (category_id !== null && !category) throw new NotFoundError('Category not found')
  if (parent_id === null) return { category, parent: undefined }
  const ancestors = await holdAncestors(trx, tenant, parent_id)
  const [parent] = ancestors
  if (!parent || !mayRead(tenant, memberId, parent)) throw new NotFoundError('Parent page not found')
  if (ancestors.some(page => page.id === id))
    throw invalid('parentId', 'must not be the page itself or one of its descendants', 'page.cycle')
  // A page moves with its subtree.
  if (ancestors.length + (await levelsBelow(trx, tenant, id)) >= deepestLevel)
    throw invalid('parentId', `must result in at most ${deepestLevel} levels`, 'page.depth')
  return { category, parent }
}

type TreeRow = {
  id: string
  title: string
  page_type: string
  status: PageStatus
  created_by_id: string
  parent_id: string | null
  /** 0 is the page itself, ancestors are negative, descendants positive. */
  level: number
}

/**
 * A page, its ancestors and its descendants, in one statement. Hidden descendants are left out with their subtrees;
 * hidden ancestors are included, for the caller to skip.
 */
export async function readTree(
  db: Kysely<NewsTables>,
  tenant: Tenant,
  id: string,
  memberId: string,
  seesAll: boolean,
): Promise<TreeRow[]> {
  const columns = sql`p.id, p.title, p.page_type, p.status, p.created_by_id, p.parent_id, p.created_at`
  const live = sql`p.workspace_id = ${tenant.workspaceId} and p.deleted_at is null`
  const visibility = seesAll ? sql`1 = 1` : sql`(p.status = 'published' or p.created_by_id = ${memberId})`
  const { rows } = await sql<TreeRow>`
    with recursive
    up as (
      select ${columns}, 0 as level from pages p where p.id = ${id} and ${live}
      union all
      select ${columns}, up.level - 1 from up join pages p on p.id = up.parent_id and ${live}
      where up.level > ${-deepestLevel}
    ),
    down as (
      select ${columns}, 1 as level from pages p where p.parent_id = ${id} and ${live} and ${visibility}
      union all
      select ${columns}, down.level + 1 from down join pages p on p.parent_id = down.id and ${live} and ${visibility}
      where down.level < ${deepestLevel}
    )
    select id, title, page_type, status, created_by_id, parent_id, level, created_at from up
    union all
    select id, title, page_type, status, created_by_id, parent_id, level, created_at from down
    order by level, created_at, id
  `.execute(db)
  return rows
}

/**
 * A page and its ancestors, locked until the transaction ends: of two moves that would together close a circle, one
 * deadlocks here and is retried.
 */
export async function holdAncestors(trx: NewsTrx, tenant: Tenant, id: string): Promise<HeldPage[]> {
  const pages: HeldPage[] = []
  for (let nextId: string | null = id; nextId !== null && pages.length <= deepestLevel; ) {
    const page: HeldPage | undefined = await holdPage(trx, tenant, nextId)
    if (!page) break
    pages.push(page)
    nextId = page.parent_id
  }
  return pages
}

/** Levels of live pages below a page; 0 without children. With the page locked, new children wait. */
async function levelsBelow(trx: NewsTrx, tenant: Tenant, id: string): Promise<number> {
  const live = sql`p.workspace_id = ${tenant.workspaceId} and p.deleted_at is null`
  const { rows } = await sql<{ levels: number | null }>`
    with recursive down as (
      select p.id, 1 as level from pages p where p.parent_id = ${id} and ${live}
      union all
      select p.id, down.level + 1 from down join pages p on p.parent_id = down.id and ${live}
      where down.level < ${deepestLevel}
    )
    select max(level) as levels from down
  `.execute(trx)
  return Number(rows[0]?.levels ?? 0)
}
