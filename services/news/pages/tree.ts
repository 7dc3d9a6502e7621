import type { HandlerContext } from '@connectrpc/connect'
import type { PageNode } from '../../../gen/platform/news/v1/pages_pb.ts'
import type { News } from '../context.ts'
import { callerId, openPlace, pageNotFound } from './access.ts'
import { mayRead, seesAll } from './rules.ts'
import { readTree, type TreeRow } from './tree.sql.ts'

/** The way from the root to a page and what stands below it, as far as the caller may see it. */
export async function getHierarchy({ db, ...news }: News, id: string, context: HandlerContext) {
  const tenant = await openPlace({ db, ...news }, context, id)
  const memberId = callerId(context)
  const rows = await readTree(db, tenant, id, memberId, seesAll(tenant))
  const self = rows.find(row => row.level === 0)
  if (!self || !mayRead(tenant, memberId, self)) throw pageNotFound()
  return {
    breadcrumb: rows
      .filter(row => row.level <= 0 && mayRead(tenant, memberId, row))
      .map(row => ({ id: row.id, title: row.title })),
    children: nodesBelow(id, rows),
  }
}

/** Rows below a page as a tree; parents come before their children. */
function nodesBelow(id: string, rows: TreeRow[]): PageNode[] {
  const roots: PageNode[] = []
  const lists = new Map<string, PageNode[]>([[id, roots]])
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
  return roots
}
