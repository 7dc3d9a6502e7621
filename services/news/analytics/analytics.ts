import type { HandlerContext } from '@connectrpc/connect'
import { AnalyticsService, type GetPageAnalyticsRequest } from '../../../gen/platform/news/v1/analytics_pb.ts'
import { tenantOf } from '../../kernel/access/access.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { callerId, openPage, seesAll } from '../pages/access.ts'
import { breakdownOf } from '../reactions/likes.sql.ts'
import { dayIn } from '../reading/view-recorder.ts'
import { interactionsOf, pagesByStatus, topCategories, topPages, viewDays, viewersOf } from './sql.ts'

const defaultDays = 30
const msPerDay = 86_400_000

/** (reactions + comments) per member who saw the page; 0 without views. */
const engagement = (page: { like_count: number; comment_count: number }, viewers: number): number =>
  viewers === 0 ? 0 : (page.like_count + page.comment_count) / viewers

/** Reads only counters and daily totals, never the table of views. */
async function ofPage(news: Context, request: GetPageAnalyticsRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.id)
  const days = request.days ?? defaultDays
  const today = Date.parse(dayIn(await news.members.timeZone(tenant.workspaceId), new Date()))
  const firstDay = new Date(today - (days - 1) * msPerDay).toISOString().slice(0, 10)
  const [byDay, viewers, breakdown] = await Promise.all([
    viewDays(news.db, tenant, page.id, firstDay),
    viewersOf(news.db, tenant, [page.id]),
    breakdownOf(news.db, tenant, page.id),
  ])
  const unique = viewers.get(page.id) ?? 0
  return {
    pageId: page.id,
    views: { total: page.view_count, unique, byDay: byDay.map(({ day, views }) => ({ date: day, count: views })) },
    likes: { total: page.like_count, breakdown },
    comments: { total: page.comment_count },
    engagement: {
      rate: engagement(page, unique),
      averageReadTime: page.timed_views === 0 ? 0 : page.timed_seconds / page.timed_views,
    },
  }
}

async function ofWorkspace({ db }: Context, context: HandlerContext) {
  const tenant = tenantOf(context)
  const [statuses, sums, top, categories] = await Promise.all([
    pagesByStatus(db, tenant),
    interactionsOf(db, tenant),
    topPages(db, tenant),
    topCategories(db, tenant, { seesAll: seesAll(tenant), memberId: callerId(tenant, context) }),
  ])
  const viewers = await viewersOf(
    db,
    tenant,
    top.map(page => page.id),
  )
  const count = (status?: string): number =>
    statuses.filter(row => !status || row.status === status).reduce((sum, row) => sum + row.total, 0)
  return {
    pages: { total: count(), published: count('published'), drafts: count('draft') },
    interactions: sums,
    topPages: top.map(page => ({
      id: page.id,
      title: page.title,
      views: page.view_count,
      engagement: engagement(page, viewers.get(page.id) ?? 0),
    })),
    topCategories: categories.map(({ id, name, pages }) => ({ id, name, pageCount: Number(pages) })),
  }
}

export const analyticsService = (news: Context): Rpc =>
  implement(AnalyticsService, {
    getPageAnalytics: (request, context) => ofPage(news, request, context),
    getWorkspaceAnalytics: (_request, context) => ofWorkspace(news, context),
  })
