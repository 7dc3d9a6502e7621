import type { HandlerContext } from '@connectrpc/connect'
import { LikeCreatedSchema, LikeDeletedSchema } from '../../../gen/platform/events/v1/like_pb.ts'
import { type CreateLikeRequest, LikeService, type ListLikesRequest } from '../../../gen/platform/news/v1/likes_pb.ts'
import { personOf } from '../../kernel/access/access.ts'
import { memberAsActor } from '../../kernel/access/callers.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { emit } from '../../kernel/bus/events.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, wholeOrPage } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'
import { openPage, pageNotFound } from '../pages/access.ts'
import { eventScopeOf } from '../pages/events.ts'
import { moveCount } from '../pages/sql.ts'
import type { PageRow } from '../tables.ts'
import * as statements from './likes.sql.ts'

/**
 * The page's author unless they opted out, and of a published page members who opted in. The notification service drops
 * the actor.
 */
async function receiversOf({ db, members }: Context, tenant: Tenant, page: PageRow): Promise<string[]> {
  const [audience, preferences] = await Promise.all([
    members.audience(tenant.workspaceId),
    statements.likePreferences(db, tenant, page.id),
  ])
  const receiverIds = new Set([page.created_by_id])
  for (const preference of preferences) {
    if (preference.notify_on_like === 0) receiverIds.delete(preference.member_id)
    else if (page.status === 'published') receiverIds.add(preference.member_id)
  }
  return audience.filter(id => receiverIds.has(id))
}

/** Sets, replaces or repeats the caller's reaction. Each is published; the count changes only for a first one. */
async function createLike(news: Context, request: CreateLikeRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  const member = personOf(context)
  const receivers = await receiversOf(news, tenant, page)
  const now = new Date()
  const newLike = {
    id: newId(),
    workspace_id: tenant.workspaceId,
    page_id: page.id,
    member_id: member.memberId,
    reaction_type: request.reactionType ?? 'like',
    created_at: now,
    updated_at: now,
  }
  const like = await inTransaction(news.db, async trx => {
    const lockedPage = await statements.lockPageForReaction(trx, tenant, page.id)
    if (!lockedPage) throw pageNotFound()
    if (lockedPage.enable_likes !== 1) throw new ForbiddenError('Reactions are disabled on this page')
    const result = await statements.upsertLike(trx, tenant, newLike)
    const { id, page_id, member_id, reaction_type } = result.like
    const payload = {
      id,
      pageId: page_id,
      title: page.title,
      memberId: member_id,
      reactionType: reaction_type,
      replaced: result.change === 'replaced',
      repeated: result.change === 'repeated',
    }
    await emit(trx, LikeCreatedSchema, payload, {
      ...eventScopeOf(tenant, memberAsActor(member), receivers),
      channels: ['socket'],
    })
    if (result.change === 'inserted') await moveCount(trx, tenant, page.id, 'like_count', 1)
    return result.like
  })
  return {
    id: like.id,
    pageId: page.id,
    reactionType: like.reaction_type,
    createdAt: timestamp(new Date(like.created_at)),
  }
}

async function deleteLike(news: Context, pageId: string, context: HandlerContext) {
  const { tenant } = await openPage(news, context, pageId)
  const member = personOf(context)
  await inTransaction(news.db, async trx => {
    if (!(await statements.lockPageForReaction(trx, tenant, pageId))) throw pageNotFound()
    const like = await statements.removeLike(trx, tenant, pageId, member.memberId)
    if (!like) return
    const payload = { id: like.id, pageId, memberId: like.member_id, reactionType: like.reaction_type }
    await emit(trx, LikeDeletedSchema, payload, {
      ...eventScopeOf(tenant, memberAsActor(member), []),
      channels: ['socket'],
    })
    await moveCount(trx, tenant, pageId, 'like_count', -1)
  })
  return { message: 'Reaction removed', pageId }
}

async function listLikes(news: Context, request: ListLikesRequest, context: HandlerContext) {
  const { tenant, page } = await openPage(news, context, request.pageId)
  const window = wholeOrPage(request)
  const [breakdown, rows] = await Promise.all([
    statements.breakdownOf(news.db, tenant, page.id),
    statements.reactionsOf(news.db, tenant, page.id, window),
  ])
  const authors = await news.members.authors(rows.map(row => row.member_id))
  const total = Object.values(breakdown).reduce((sum, count) => sum + count, 0)
  return {
    total,
    meta: pageMeta(total, window),
    breakdown,
    members: rows.map(row => ({ member: authors.get(row.member_id), reactionType: row.reaction_type })),
  }
}

export const likeService = (news: Context): Rpc =>
  implement(LikeService, {
    createLike: (request, context) => createLike(news, request, context),
    deleteLike: ({ pageId }, context) => deleteLike(news, pageId, context),
    listLikes: (request, context) => listLikes(news, request, context),
  })
