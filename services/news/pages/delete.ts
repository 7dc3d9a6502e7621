import type { HandlerContext } from '@connectrpc/connect'
import type { ListTrashedPagesRequest } from '../../../gen/platform/news/v1/pages_pb.ts'
import { actingMember, eventActorOf, tenantOf } from '../../kernel/access/access.ts'
import { ConflictError } from '../../kernel/base/errors.ts'
import { deepestLevel, messageFields } from '../../kernel/base/fields.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { deleteSearchRow, upsertSearchRow } from '../search/texts.sql.ts'
import { recountMoved } from '../totals/pages.sql.ts'
import {
  callerId,
  checkChange,
  checkVersion,
  mayRead,
  openWorkspace,
  pageNotFound,
  seesAll,
  tagPage,
} from './access.ts'
import { emitPageDeleted, emitPageUpdated, eventScopeOf } from './events.ts'
import { showPage } from './read.ts'
import {
  countTrashed,
  findPage,
  lockPage,
  lockTrashed,
  moveChildrenToRoot,
  removePin,
  trashedPages,
  writePage,
} from './sql.ts'
import { holdAncestors } from './tree.ts'

/** Soft-deletes a page; its children move to the root, its pin is removed. */
export async function deletePage(news: Context, id: string, context: HandlerContext) {
  const tenant = await openWorkspace(news, context, id)
  const eventScope = eventScopeOf(tenant, eventActorOf(context), await news.members.audience(tenant.workspaceId))
  const version = await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, id)
    if (!page || !mayRead(tenant, callerId(tenant, context), page)) throw pageNotFound()
    checkChange(tenant, 'delete_content', callerId(tenant, context), page)
    checkVersion(context.requestHeader.get('if-match'), page.version)
    await removePin(trx, tenant, id)
    await writePage(trx, tenant, id, { deleted_at: new Date(), pinned_until: null, version: page.version + 1 })
    await deleteSearchRow(trx, tenant, id)
    await moveChildrenToRoot(trx, tenant, id)
    await emitPageDeleted(trx, page, eventScope)
    await recountMoved(trx, tenant, [{ before: page }])
    return page.version + 1
  })
  tagPage(context, { version })
  return { message: 'Page deleted', id }
}

/** Restores a deleted page below its parent if that is live, else at the root. Throws ConflictError if too deep. */
export async function restorePage(news: Context, id: string, context: HandlerContext) {
  const tenant = await openWorkspace(news, context, id)
  const member = actingMember(context)
  const eventScope = eventScopeOf(tenant, eventActorOf(context), await news.members.audience(tenant.workspaceId))
  await inTransaction(news.db, async trx => {
    const page = await lockTrashed(trx, tenant, id)
    if (!page && (await findPage(trx, tenant, id))) throw new ConflictError('The page is not deleted')
    if (!page || !mayRead(tenant, callerId(tenant, context), page)) throw pageNotFound()
    checkVersion(context.requestHeader.get('if-match'), page.version)
    const ancestors = page.parent_id === null ? [] : await holdAncestors(trx, tenant, page.parent_id)
    if (ancestors.length >= deepestLevel)
      throw new ConflictError(`Its parent page is at level ${deepestLevel}, the deepest allowed: move that page first`)
    await writePage(trx, tenant, id, {
      deleted_at: null,
      parent_id: ancestors[0]?.id ?? null,
      version: page.version + 1,
      updated_at: new Date(),
      updated_by_id: member?.memberId ?? null,
    })
    await upsertSearchRow(trx, page)
    await emitPageUpdated(trx, page, { status: page.status }, eventScope)
    await recountMoved(trx, tenant, [{ after: page }])
  })
  const page = await showPage(news, tenant, id, context)
  tagPage(context, page)
  return { page }
}

export async function listTrashedPages(
  { db, members }: Context,
  request: ListTrashedPagesRequest,
  context: HandlerContext,
) {
  const tenant = tenantOf(context)
  const slice = paging(request)
  const scope = { seesAll: seesAll(tenant), memberId: callerId(tenant, context) }
  const [rows, total] = await Promise.all([trashedPages(db, tenant, scope, slice), countTrashed(db, tenant, scope)])
  const authors = await members.authors(rows.map(row => row.created_by_id))
  const data = rows.map(row => ({ ...messageFields(row), createdBy: authors.get(row.created_by_id) }))
  return { data, meta: pageMeta(total, slice) }
}
