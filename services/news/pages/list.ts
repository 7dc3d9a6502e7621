import type { HandlerContext } from '@connectrpc/connect'
import type { ListPagesRequest, ListPagesResponse } from '../../../gen/platform/news/v1/pages_pb.ts'
import { personOf, tenantOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { shareRuns } from '../../kernel/base/share.ts'
import { type CursorPaging, cursorPaging, cutToPage } from '../../kernel/rpc/cursor.ts'
import { pageMeta } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import type { PageStatus } from '../tables.ts'
import { callerId, seesAll } from './access.ts'
import { type ListRow, listCounted, listPages, orderOf, type PageQuery, searchPages } from './list.sql.ts'
import { summary } from './read.ts'

const sorts: Record<string, PageQuery['sort']> = {
  createdAt: 'created_at',
  publishedAt: 'published_at',
  viewCount: 'view_count',
  likeCount: 'like_count',
}

/** Shares answers: all editors of a workspace see the same pages; other members also see their own drafts. */
const share = shareRuns<ListPagesResponse>()

/**
 * Lists pages with their total, by one statement unless it searches; authors come from the member cache. What one
 * person hasn't read is never shared.
 */
export async function answerPages(
  { db, members }: Context,
  request: ListPagesRequest,
  context: HandlerContext,
): Promise<ListPagesResponse> {
  const tenant = tenantOf(context)
  const isScheduled = request.scheduled === true
  // Scheduled pages come soonest first.
  const defaultColumn = isScheduled ? ('scheduled_at' as const) : ('published_at' as const)
  const query: PageQuery = {
    seesAll: seesAll(tenant),
    memberId: callerId(tenant, context),
    // The message's constraints allow no other value.
    status: request.status as PageStatus | undefined,
    pageType: request.pageType,
    categoryId: request.categoryId,
    search: request.search,
    isScheduled,
    sort: sorts[request.sortBy ?? ''] ?? defaultColumn,
    ascending: request.sortOrder ? request.sortOrder === 'asc' : isScheduled && !request.sortBy,
  }
  const slice = cursorPaging(request, orderOf(query))
  if (request.unread) {
    const unreadBy = personOf(context).memberId
    return show({ members }, await listCounted(db, tenant, { ...query, unreadBy }, slice), slice)
  }
  const viewer = query.seesAll || query.status === 'published' ? '' : query.memberId
  const key = JSON.stringify([tenant.workspaceId, { ...query, memberId: viewer }, slice])
  return share(key, () => list({ db, members }, tenant, query, slice))
}

async function list(
  { db, members }: Pick<Context, 'db' | 'members'>,
  tenant: Tenant,
  query: PageQuery,
  slice: CursorPaging,
): Promise<ListPagesResponse> {
  const { search, isScheduled } = query
  if (isScheduled) return show({ members }, await listCounted(db, tenant, query, slice), slice)
  const matchesAuthor =
    search === undefined
      ? await listPages(db, tenant, query, slice)
      : await searchPages(db, tenant, { ...query, search }, slice)
  return show({ members }, matchesAuthor, slice)
}

type PageMatches = { rows: ListRow[]; total: number }

async function show(
  { members }: Pick<Context, 'members'>,
  { rows: matches, total }: PageMatches,
  slice: CursorPaging,
): Promise<ListPagesResponse> {
  const { rows, nextCursor } = cutToPage(matches, slice)
  const authors = await members.authors(rows.map(row => row.created_by_id))
  const now = Date.now()
  return {
    $typeName: 'platform.news.v1.ListPagesResponse',
    data: rows.map(row => summary(row, authors.get(row.created_by_id), now)),
    meta: { $typeName: 'platform.common.v1.PageMeta', ...pageMeta(total, slice, nextCursor) },
  }
}
