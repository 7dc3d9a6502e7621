import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import { type CreatePinRequest, type PinSchema, PinService } from '../../../gen/platform/news/v1/pins_pb.ts'
import { requireActingMember, tenantOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { callerId, mayRead, openWorkspace, pageNotFound } from '../pages/access.ts'
import { summary } from '../pages/read.ts'
import { lockPage, removePin, writePage } from '../pages/sql.ts'
import { listPins, upsertPin } from './pins.sql.ts'

/** Value of pages.pinned_until for a pin that doesn't expire. */
const farFuture = new Date('9999-12-31T00:00:00Z')

/** Live pins whose pages the caller may see. */
async function showPins(
  { db, members }: Context,
  tenant: Tenant,
  memberId: string,
  pageId?: string,
): Promise<MessageInitShape<typeof PinSchema>[]> {
  const now = new Date()
  const rows = (await listPins(db, tenant, now, pageId)).filter(row => mayRead(tenant, memberId, row))
  const authors = await members.authors(rows.map(row => row.created_by_id))
  return rows.map(row => ({
    id: row.pin_id,
    pageId: row.id,
    workspaceId: tenant.workspaceId,
    pinnedBy: row.pinned_by,
    order: row.sort_order,
    expiresAt: timestamp(row.expires_at),
    page: summary(row, authors.get(row.created_by_id), now.getTime()),
    createdAt: timestamp(row.pin_created_at),
    updatedAt: timestamp(row.pin_updated_at),
  }))
}

/** Pins a page; for a pinned page, changes order and expiry. */
async function createPin(news: Context, request: CreatePinRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const author = requireActingMember(context)
  const memberId = callerId(tenant, context)
  const { pageId } = request
  const now = new Date()
  const expires_at = request.expiresAt ? timestampDate(request.expiresAt) : null
  if (expires_at && expires_at <= now) throw invalid('expiresAt', 'must be in the future', 'pin.expiry')
  await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, pageId)
    if (!page || !mayRead(tenant, memberId, page)) throw pageNotFound()
    await upsertPin(trx, {
      id: newId(),
      workspace_id: tenant.workspaceId,
      page_id: pageId,
      pinned_by: author.memberId,
      sort_order: request.order ?? 0,
      expires_at,
      created_at: now,
      updated_at: now,
    })
    await writePage(trx, tenant, pageId, { pinned_until: expires_at ?? farFuture })
  })
  const [pin] = await showPins(news, tenant, memberId, pageId)
  if (!pin) throw pageNotFound()
  return { pin }
}

/** Unpins a page; does nothing when it isn't pinned. */
async function deletePin(news: Context, pageId: string, context: HandlerContext) {
  const tenant = await openWorkspace(news, context, pageId)
  await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, pageId)
    if (!page || !mayRead(tenant, callerId(tenant, context), page)) throw pageNotFound()
    await removePin(trx, tenant, pageId)
    await writePage(trx, tenant, pageId, { pinned_until: null })
  })
  return { message: 'Page unpinned', pageId }
}

export const pinService = (news: Context): Rpc =>
  implement(PinService, {
    createPin: (request, context) => createPin(news, request, context),
    listPins: async (_request, context) => {
      const tenant = tenantOf(context)
      return { data: await showPins(news, tenant, callerId(tenant, context)) }
    },
    deletePin: ({ pageId }, context) => deletePin(news, pageId, context),
  })
