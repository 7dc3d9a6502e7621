import type { JsonObject } from '@bufbuild/protobuf'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import type { Updateable } from 'kysely'
import type { UpdatePageRequest } from '../../../gen/platform/news/v1/pages_pb.ts'
import { actingMember, eventActorOf } from '../../kernel/access/access.ts'
import { requirePermission, type Tenant } from '../../kernel/access/tenant.ts'
import { invalid } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import type { NewsTables, NewsTrx, PageRow } from '../tables.ts'
import { recountMoved } from '../totals/pages.sql.ts'
import { callerId, checkChange, checkVersion, mayRead, openWorkspace, pageNotFound, tagPage } from './access.ts'
import { contentText, mentionsIn } from './content.ts'
import { checkEventDates } from './create.ts'
import { type EventScope, emitPageCreated, emitPageMentioned, emitPageUpdated, eventScopeOf } from './events.ts'
import { mediasText, showPage } from './read.ts'
import { lockPage, readBody, writeBody, writeRevision } from './sql.ts'
import { asArchived, asDraft, asPublished, changePage } from './status.ts'
import { holdPlace } from './tree.ts'

type PageSet = Updateable<NewsTables['pages']>

/** Updates a page; a change of content is stored as a revision. */
export async function updatePage(news: Context, request: UpdatePageRequest, context: HandlerContext) {
  const tenant = await openWorkspace(news, context, request.id)
  const paths = new Set(request.updateMask?.paths)
  const content = paths.has('content') ? contentText(request.content ?? null) : undefined
  const columns = columnsOf(request, paths)
  return changeAndShow(news, context, tenant, request.id, { columns, content, status: request.status })
}

type PageChange = { columns: PageSet; content?: string | undefined; status?: string | undefined }

/** Writes the columns that differ as one change, publishes it and returns the page. */
export async function changeAndShow(
  news: Context,
  context: HandlerContext,
  tenant: Tenant,
  id: string,
  change: PageChange,
) {
  const member = actingMember(context)
  const by = member?.memberId ?? null
  const about = eventScopeOf(tenant, eventActorOf(context), await news.members.audience(tenant.workspaceId))
  await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, id)
    if (!page || !mayRead(tenant, callerId(tenant, context), page)) throw pageNotFound()
    checkChange(tenant, 'edit_content', callerId(tenant, context), page)
    checkVersion(context.requestHeader.get('if-match'), page.version)
    const set: PageSet = { ...changedColumns(page, change.columns), ...statusColumns(tenant, page, change.status) }
    const { content } = change
    const bodyBefore = content === undefined ? '' : await readBody(trx, tenant, id)
    const isBodyChanged = content !== undefined && content !== bodyBefore
    if (Object.keys(set).length === 0 && !isBodyChanged) return
    const next = { ...page, ...set } as PageRow
    checkEventDates(next.event_starts_at, next.event_ends_at)
    const place = { id, parent_id: set.parent_id ?? null, category_id: set.category_id ?? null }
    await holdPlace(trx, tenant, callerId(tenant, context), place)
    const after = await changePage(trx, tenant, page, set, by)
    const changes = changesOf(set, isBodyChanged)
    if (isBodyChanged) await writeBody(trx, tenant, id, content)
    if (isBodyChanged || 'title' in set || 'excerpt' in set || 'medias' in set)
      await writeRevision(trx, after, content ?? (await readBody(trx, tenant, id)), Object.keys(changes), member)
    await emitChange(trx, tenant, page, after, changes, about)
    if (isBodyChanged && page.status === 'published' && after.status === 'published')
      await emitPageMentioned(trx, after, newMentions(bodyBefore, content), about)
    await recountMoved(trx, tenant, [{ before: page, after }])
  })
  const page = await showPage(news, tenant, id, context)
  tagPage(context, page)
  return { page }
}

/**
 * Emits page.created for a first publication. When a page is hidden, readers get its new status, not its new text.
 */
async function emitChange(
  trx: NewsTrx,
  tenant: Tenant,
  before: PageRow,
  after: PageRow,
  changes: JsonObject,
  about: EventScope,
): Promise<void> {
  const isPublic = after.status === 'published'
  if (isPublic && before.status !== 'published' && before.published_at === null)
    await emitPageCreated(trx, tenant, after, about)
  else if (before.status === 'published' && !isPublic)
    await emitPageUpdated(trx, before, { status: after.status }, about)
  else await emitPageUpdated(trx, after, changes, about)
  // As for a page that is unarchived.
  if (isPublic && before.status === 'archived' && before.published_at !== null)
    await emitPageMentioned(trx, after, mentionsIn(await readBody(trx, tenant, after.id)), about)
}

function newMentions(before: string, after: string): Set<string> {
  const mentionedBefore = mentionsIn(before)
  return new Set([...mentionsIn(after)].filter(id => !mentionedBefore.has(id)))
}

const flag = (value: boolean | undefined) => (value === false ? 0 : 1)

/** The named fields as columns; null resets a field that has a default. */
function columnsOf(request: UpdatePageRequest, paths: ReadonlySet<string>): PageSet {
  const set: PageSet = {}
  if (paths.has('title')) {
    if (request.title === undefined) throw invalid('title', 'cannot be cleared', 'required')
    set.title = request.title
  }
  if (paths.has('status') && request.status === undefined) throw invalid('status', 'cannot be cleared', 'required')
  if (paths.has('excerpt')) set.excerpt = request.excerpt ?? null
  if (paths.has('page_type')) set.page_type = request.pageType ?? 'article'
  if (paths.has('category_id')) set.category_id = request.categoryId ?? null
  if (paths.has('parent_id')) set.parent_id = request.parentId ?? null
  if (paths.has('medias')) set.medias = mediasText(request.medias)
  if (paths.has('enable_comments')) set.enable_comments = flag(request.enableComments)
  if (paths.has('enable_likes')) set.enable_likes = flag(request.enableLikes)
  if (paths.has('enable_notifications')) set.enable_notifications = flag(request.enableNotifications)
  if (paths.has('event_starts_at'))
    set.event_starts_at = request.eventStartsAt ? timestampDate(request.eventStartsAt) : null
  if (paths.has('event_ends_at')) set.event_ends_at = request.eventEndsAt ? timestampDate(request.eventEndsAt) : null
  if (paths.has('event_location')) set.event_location = request.eventLocation ?? null
  return set
}

const isSame = (a: unknown, b: unknown): boolean =>
  a instanceof Date && b instanceof Date ? a.getTime() === b.getTime() : a === b

/** Those of the wanted columns that differ from the page. */
const changedColumns = (page: PageRow, columns: PageSet): PageSet =>
  Object.fromEntries(Object.entries(columns).filter(([key, value]) => !isSame(value, page[key as keyof PageRow])))

/** Columns for a requested status; publishing and unpublishing need publish_content. */
function statusColumns(tenant: Tenant, page: PageRow, status: string | undefined): PageSet {
  if (status === undefined || status === page.status) return {}
  const affectsReaders = status === 'published' || (status === 'draft' && page.published_at !== null)
  if (affectsReaders) requirePermission(tenant, 'publish_content')
  if (status === 'archived') {
    requirePermission(tenant, 'edit_content')
    return asArchived
  }
  if (status === 'draft') return asDraft
  return page.published_at === null ? asPublished(new Date()) : { status: 'published' }
}

const fieldNames: Partial<Record<keyof PageRow, string>> = {
  title: 'title',
  excerpt: 'excerpt',
  page_type: 'pageType',
  category_id: 'categoryId',
  parent_id: 'parentId',
  medias: 'medias',
  status: 'status',
  enable_comments: 'enableComments',
  enable_likes: 'enableLikes',
  enable_notifications: 'enableNotifications',
  event_starts_at: 'eventStartsAt',
  event_ends_at: 'eventEndsAt',
  event_location: 'eventLocation',
}

/** Changed fields with new values, under their public names; for the body, only that it changed. */
function changesOf(set: PageSet, isBodyChanged: boolean): JsonObject {
  const changes: JsonObject = {}
  for (const [column, value] of Object.entries(set)) {
    const name = fieldNames[column as keyof PageRow]
    if (name === undefined) continue
    if (column === 'medias') changes[name] = JSON.parse(String(value)) as JsonObject[]
    else if (column.startsWith('enable_')) changes[name] = value === 1
    else changes[name] = value instanceof Date ? value.toISOString() : (value as string | null)
  }
  if (isBodyChanged) changes['content'] = true
  return changes
}
