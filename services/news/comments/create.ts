import type { HandlerContext } from '@connectrpc/connect'
import { CommentCreatedSchema } from '../../../gen/platform/events/v1/comment_pb.ts'
import type { CreateCommentRequest } from '../../../gen/platform/news/v1/comments_pb.ts'
import { personOf } from '../../kernel/access/access.ts'
import { memberAsActor } from '../../kernel/access/callers.ts'
import type { MemberAccess } from '../../kernel/access/rights.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError, NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { emitAll } from '../../kernel/bus/events.ts'
import { inBatches } from '../../kernel/database/batches.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Context } from '../context.ts'
import type { Author } from '../members.ts'
import { pageNotFound, pageOpener } from '../pages/access.ts'
import { type EventScope, eventScopeOf, messagesFor } from '../pages/events.ts'
import { findPage, moveCount } from '../pages/sql.ts'
import type { CommentRow, PageRow } from '../tables.ts'
import type { CommentedPage } from './sql.ts'
import * as statements from './sql.ts'
import { commentOf } from './tree.ts'

/** A comment whose author may see the page and comment on it. */
type NewComment = { tenant: Tenant; page: CommentedPage; member: MemberAccess; author: Author; comment: CommentRow }

const openCommentedPage = pageOpener(statements.findCommentedPage)

const maxComments = 100

const commentsDisabled = () => new ForbiddenError('Comments are disabled on this page')

/** Stores comments of one page with their events and their count, all or none. */
async function store({ db, members }: Context, items: NewComment[]): Promise<CommentRow[]> {
  const [first] = items
  if (!first) return []
  const { tenant } = first
  const pageId = first.page.id
  const recipientIds = await members.audience(tenant.workspaceId)
  const comments = items.map(({ comment }) => comment)
  const parents = new Set(comments.flatMap(({ parent_id }) => parent_id ?? []))
  const events = items.flatMap(({ page, comment, member, author }) => {
    const audience = commentAudience(page, member.memberId, recipientIds)
    return commentCreated(page, comment, author, eventScopeOf(tenant, memberAsActor(member), []), audience)
  })
  await inTransaction(db, async trx => {
    if (parents.size > 0 && (await statements.holdParents(trx, tenant, pageId, [...parents])) < parents.size)
      throw new NotFoundError('Parent comment not found')
    await statements.insertComments(trx, comments)
    await emitAll(trx, CommentCreatedSchema, events)
    if (!(await moveCount(trx, tenant, pageId, 'comment_count', comments.length)))
      throw (await findPage(trx, tenant, pageId)) ? commentsDisabled() : pageNotFound()
  })
  return comments
}

/** Creates comments; concurrent ones on the same page share a transaction. */
export function commentCreator(news: Context) {
  const splitsOn = (error: unknown) => error instanceof NotFoundError
  const write = inBatches((items: NewComment[]) => store(news, items), { maxItems: maxComments, splitsOn })
  return async (request: CreateCommentRequest, context: HandlerContext) => {
    const { tenant, page } = await openCommentedPage(news, context, request.pageId)
    const member = personOf(context)
    if (page.enable_comments !== 1) throw commentsDisabled()
    const directoryAuthor = await news.members.author(member.memberId)
    const author = directoryAuthor.firstName === undefined ? nameOf(member) : directoryAuthor
    const comment: CommentRow = {
      id: newId(),
      workspace_id: tenant.workspaceId,
      page_id: page.id,
      parent_id: request.parentId ?? null,
      member_id: member.memberId,
      content: request.content,
      like_count: 0,
      is_edited: 0,
      edited_at: null,
      created_at: new Date(),
      deleted_at: null,
    }
    await write(page.id, { tenant, page, member, author, comment })
    return { comment: commentOf(comment, author, false) }
  }
}

/** An author who isn't in the member directory yet. */
const nameOf = (member: MemberAccess): Author => ({
  $typeName: 'platform.news.v1.Author',
  id: member.memberId,
  firstName: member.name,
  lastName: '',
})

/** Receivers of a comment: first sockets, then, when the page has notifications on, by push its author and followers. */
function commentAudience(
  page: Pick<CommentedPage, 'status' | 'created_by_id' | 'enable_notifications' | 'muted_by' | 'followed_by'>,
  commenter: string,
  audience: readonly string[],
): { socket: string[]; push: string[] } {
  const mutingMemberIds = new Set(JSON.parse(page.muted_by ?? '[]') as string[])
  const followerIds = new Set(JSON.parse(page.followed_by ?? '[]') as string[])
  const notified = audience.filter(id => !mutingMemberIds.has(id))
  const author = notified.filter(id => id === page.created_by_id)
  // An unpublished page is visible to its author and editors only.
  const readers = (page.status === 'published' ? notified : author).filter(id => id !== commenter)
  const followers = readers.filter(id => followerIds.has(id) && id !== page.created_by_id)
  return {
    socket: readers,
    // Includes the author's own comments; the notification service filters those out [R35].
    push: page.enable_notifications === 1 ? [...author, ...followers] : [],
  }
}

/** Event messages of a new comment. */
function commentCreated(
  page: PageRow,
  comment: CommentRow,
  author: Author,
  about: Omit<EventScope, 'receiverIds'>,
  audience: { socket: string[]; push: string[] },
) {
  const { id, firstName = '', lastName = '', photoUrl } = author
  const payload = {
    id: comment.id,
    pageId: page.id,
    title: page.title,
    content: comment.content,
    parentId: comment.parent_id ?? undefined,
    member: { id, firstName, lastName, photoUrl },
    createdAt: timestamp(comment.created_at),
  }
  const occurrenceId = newId()
  const messages = messagesFor({ ...about, receiverIds: audience.socket }, ['socket'], occurrenceId)
  if (audience.push.length > 0)
    messages.push({ ...about, channels: ['push', 'socket'], occurrenceId, receiverIds: audience.push })
  return messages.map(envelope => ({ payload, envelope }))
}
