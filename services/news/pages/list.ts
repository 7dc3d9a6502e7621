import type { HandlerContext } from '@connectrpc/connect'
import type { ListPagesRequest, ListPagesResponse } from '../../../gen/platform/news/v1/pages_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { shared } from '../../kernel/base/share.ts'
import { type Paging, pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import type { PageStatus } from '../tables.ts'
import { callerId, seesAll } from './access.ts'
import { listPages, type PageQuery, searchPages } from './list.sql.ts'
import { summary } from './read.ts'

const sorts: Record<string, PageQuery['sort']> = {
  createdAt: 'created_at',
  publishedAt: 'published_at',
  viewCount: 'view_count',
  likeCount: 'like_count',
}

/** Shares answers: all editors of a workspace see the same pages; other members also see their own drafts. */
const share = shared<ListPagesResponse>()

/** Lists pages with their total, by one statement unless it searches; authors come from the member cache. */
export async function answerPages(
  { db, members }: Context,
  request: ListPagesRequest,
  context: HandlerContext,
): Promise<ListPagesResponse> {
  const tenant = tenantOf(context)
  const wanted = paging(request)
  const query: PageQuery = {
    seesAll: seesAll(tenant),
    memberId: callerId(context),
    // The message's constraints allow no other value.
    status: request.status as PageStatus | undefined,
    pageType: request.pageType,
    categoryId: request.categoryId,
    search: request.search,
    sort: sorts[request.sortBy ?? ''] ?? 'published_at',
    ascending: request.sortOrder === 'asc',
  }
  const viewer = query.seesAll || query.status === 'published' ? '' : query.memberId
  const key = JSON.stringify([tenant.workspaceId, { ...query, memberId: viewer }, wanted])
  return share(key, () => list({ db, members }, tenant, query, wanted))
}

async function list(
  { db, members }: Pick<Context, 'db' | 'members'>,
  tenant: Tenant,
  query: PageQuery,
  wanted: Paging,
): Promise<ListPagesResponse> {
  const { search } = query
  const { rows, total } =
    search === undefined
      ? await listPages(db, tenant, query, wanted)
      : await searchPages(db, tenant, { ...query, search }, wanted)
  const authors = await members.authors(rows.map(row => row.created_by_id))
  const now = Date.now()
  return {
    $typeName: 'platform.news.v1.ListPagesResponse',
    data: rows.map(row => summary(row, authors.get(row.created_by_id), now)),
    meta: { $typeName: 'platform.common.v1.PageMeta', ...pageMeta(total, wanted) },
  }
}
