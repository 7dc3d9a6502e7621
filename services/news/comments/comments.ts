import type { HandlerContext } from '@connectrpc/connect'
import { CommentDeletedSchema, CommentUpdatedSchema } from '../../../gen/platform/events/v1/comment_pb.ts'
import {
  CommentService,
  type ListCommentsRequest,
  type UpdateCommentRequest,
} from '../../../gen/platform/news/v1/comments_pb.ts'
import { eventActorOf, maybePerson, personOf, tenantOfRecord } from '../../kernel/access/access.ts'
import { hasPermission, type Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { emit } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, wholeOrPage } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { callerId, mayRead, openPage } from '../pages/access.ts'
import { type EventScope, eventScopeOf } from '../pages/events.ts'
import { findPage, moveCount } from '../pages/sql.ts'
import { locateRecord, writeRecord } from '../records.sql.ts'
import type { CommentRow, NewsTrx, PageRow } from '../tables.ts'
import { commentCreator } from './create.ts'
import * as statements from './sql.ts'
import { bytesOfAuthor, commentOf, commentTrees, shownOf, topCount } from './tree.ts'

/** Comments of any length that fit into one answer. */
const fewComments = 120

const commentNotFound = () => new NotFoundError('Comment not found')

type OpenedComment = { tenant: Tenant; page: PageRow; comment: CommentRow; memberId: string }

/** A live comment on a page that the caller may see. Throws NotFoundError. */
async function openComment({ db }: Context, context: HandlerContext, id: string): Promise<OpenedComment> {
  const tenant = await tenantOfRecord(context, await locateRecord(db, 'comments', id), 'Comment')
  const comment = await statements.findComment(db, tenant, id)
  const page = comment && (await findPage(db, tenant, comment.page_id))
  const memberId = callerId(tenant, context)
  if (!comment || !page || !mayRead(tenant, memberId, page)) throw commentNotFound()
  return { tenant, page, comment, memberId }
}

async function listComments(news: Context, request: ListCommentsRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  const { db } = news
  const window = wholeOrPage(request)
  const firstRows = window.isWhole ? await statements.firstComments(db, tenant, page.id, fewComments + 1) : []
  const rows = window.isWhole && firstRows.length <= fewComments ? firstRows : undefined
  // Reads full rows only for the comments that are answered.
  const outline = rows
    ? rows.map(row => ({ ...row, bytes: row.content.length }))
    : await statements.outlineOfPage(db, tenant, page.id)
  const authors = await news.members.authors(new Set(outline.map(row => row.member_id)))
  const shownIds = shownOf(outline, window, row => row.bytes + bytesOfAuthor(authors.get(row.member_id)))
  const [comments, liked] = await Promise.all([
    rows ? withIds(rows, shownIds) : statements.commentsAmong(db, tenant, page.id, shownIds),
    statements.likedComments(db, tenant, page.id, maybePerson(context)?.memberId ?? ''),
  ])
  return {
    data: commentTrees(comments, authors, liked),
    total: outline.filter(({ deleted_at }) => deleted_at === null).length,
    meta: pageMeta(topCount(outline), window),
  }
}

function withIds(rows: CommentRow[], ids: string[]): CommentRow[] {
  const idsToFind = new Set(ids)
  return rows.filter(row => idsToFind.has(row.id))
}

async function updateComment(news: Context, request: UpdateCommentRequest, context: HandlerContext) {
  const { tenant, comment, memberId } = await openComment(news, context, request.id)
  if (comment.member_id !== memberId) throw new ForbiddenError('Only the author may change a comment')
  if (request.updateMask?.paths.includes('content') && request.content === undefined)
    throw invalid('content', 'cannot be cleared', 'required')
  const { content } = request
  const row = await inTransaction(news.db, async trx => {
    const before = await statements.lockComment(trx, tenant, comment.id)
    if (!before) throw commentNotFound()
    if (content === undefined || content === before.content) return before
    const set = { content, is_edited: 1, edited_at: new Date() }
    await writeRecord(trx, 'comments', { ...tenant, id: comment.id }, set)
    const payload = { id: comment.id, pageId: before.page_id, content }
    const eventScope = eventScopeOf(tenant, eventActorOf(context), [])
    await emit(trx, CommentUpdatedSchema, payload, { ...eventScope, channels: ['socket'] })
    return { ...before, ...set }
  })
  const liked = await statements.likedComments(news.db, tenant, row.page_id, memberId)
  return { comment: commentOf(row, await news.members.author(row.member_id), liked.has(row.id)) }
}

/** Deletes a comment; its replies stay and the page's count drops by one. */
async function deleteComment(news: Context, id: string, context: HandlerContext) {
  const { tenant, page, comment, memberId } = await openComment(news, context, id)
  if (comment.member_id !== memberId && !hasPermission(tenant, 'moderate_comments'))
    throw new ForbiddenError('Only the author and moderators may delete a comment')
  await inTransaction(news.db, async trx => {
    if (!(await statements.lockComment(trx, tenant, id))) throw commentNotFound()
    await writeRecord(trx, 'comments', { ...tenant, id }, { deleted_at: new Date() })
    await emitCommentDeleted(trx, page, comment, eventScopeOf(tenant, eventActorOf(context), []))
    if (!(await moveCount(trx, tenant, page.id, 'comment_count', -1))) throw commentNotFound()
  })
  return { message: 'Comment deleted', id }
}

/** Likes a comment or removes the like; repeating either changes nothing. */
async function likeComment(news: Context, id: string, isLiked: boolean, context: HandlerContext) {
  const { tenant, page } = await openComment(news, context, id)
  const { memberId } = personOf(context)
  if (isLiked && page.enable_likes !== 1) throw new ForbiddenError('Reactions are disabled on this page')
  const likeCount = await inTransaction(news.db, async trx => {
    const comment = await statements.lockComment(trx, tenant, id)
    if (!comment) throw commentNotFound()
    if (!(await statements.setCommentLike(trx, tenant, comment, memberId, isLiked))) return comment.like_count
    const like_count = comment.like_count + (isLiked ? 1 : -1)
    await writeRecord(trx, 'comments', { ...tenant, id }, { like_count })
    return like_count
  })
  return { id, likeCount, hasLiked: isLiked }
}

export const commentService = (news: Context): Rpc =>
  implement(CommentService, {
    createComment: commentCreator(news),
    listComments: (request, context) => listComments(news, request, context),
    updateComment: (request, context) => updateComment(news, request, context),
    deleteComment: ({ id }, context) => deleteComment(news, id, context),
    likeComment: ({ id }, context) => likeComment(news, id, true, context),
    unlikeComment: ({ id }, context) => likeComment(news, id, false, context),
  })

/** Publishes the deletion to the page's room; no one is notified. */
async function emitCommentDeleted(
  trx: NewsTrx,
  page: PageRow,
  comment: CommentRow,
  about: Omit<EventScope, 'receiverIds'>,
): Promise<void> {
  const payload = {
    id: comment.id,
    pageId: page.id,
    title: page.title,
    parentId: comment.parent_id ?? undefined,
  }
  await emit(trx, CommentDeletedSchema, payload, { ...about, channels: ['socket'], receiverIds: [] })
}
