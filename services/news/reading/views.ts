import type { HandlerContext } from '@connectrpc/connect'
import { type GetViewsRequest, type UpdateViewRequest, ViewService } from '../../../gen/platform/news/v1/views_pb.ts'
import { personOf, tenantOf } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { openPage } from '../pages/access.ts'
import { latestViews, lockLatestView, moveReadingTime, writeView } from './views.sql.ts'

/** The caller's latest view of each page that they have viewed. Pages of other workspaces have none here. */
async function getViews({ db }: Context, { pageId }: GetViewsRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const { memberId } = personOf(context)
  const pageIds = [...new Set(pageId)]
  const viewsByPage = await latestViews(db, tenant, memberId, pageIds)
  const data = pageIds.flatMap(id => {
    const viewedAt = viewsByPage.get(id)
    return viewedAt === undefined ? [] : [{ pageId: id, lastViewedAt: timestamp(viewedAt) }]
  })
  return { data }
}

/** Sets duration and device type of the caller's latest view. */
async function updateView(news: Context, request: UpdateViewRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  const { memberId } = personOf(context)
  const paths = new Set(request.updateMask?.paths)
  const view = await inTransaction(news.db, async trx => {
    const before = await lockLatestView(trx, tenant, page.id, memberId)
    if (!before) throw new NotFoundError('View not found')
    const after = {
      ...before,
      ...(paths.has('duration') ? { duration: request.duration ?? null } : {}),
      ...(paths.has('device_type') ? { device_type: request.deviceType ?? null } : {}),
    }
    const { duration, device_type } = after
    await writeView(trx, tenant, before.id, { duration, device_type })
    const views = (duration === null ? 0 : 1) - (before.duration === null ? 0 : 1)
    const seconds = (duration ?? 0) - (before.duration ?? 0)
    if (views !== 0 || seconds !== 0) await moveReadingTime(trx, tenant, page.id, views, seconds)
    return after
  })
  return {
    view: {
      id: view.id,
      pageId: view.page_id,
      memberId: view.member_id,
      workspaceId: view.workspace_id,
      duration: view.duration ?? undefined,
      deviceType: view.device_type ?? undefined,
      createdAt: timestamp(view.created_at),
    },
  }
}

export const viewService = (news: Context): Rpc =>
  implement(ViewService, {
    getViews: (request, context) => getViews(news, request, context),
    updateView: (request, context) => updateView(news, request, context),
  })
