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
import { mayRead, openPage, openWorkspace, pageNotFound, pageOpener } from '../pages/access.ts'
import { eventScopeOf } from '../pages/events.ts'
import { findPage, lockPage, moveCount } from '../pages/sql.ts'
import * as statements from './likes.sql.ts'

const openLikedPage = pageOpener(statements.findLikedPage)

/**
 * The page's author unless they opted out, and of a published page members who opted in. The notification service drops
 * the actor.
 */
async function receiversOf({ members }: Context, tenant: Tenant, page: statements.LikedPage): Promise<string[]> {
  const audience = await members.audience(tenant.workspaceId)
  const choices = JSON.parse(page.like_choices ?? '{}') as Record<string, number>
  const isReceiver = (id: string): boolean =>
    id === page.created_by_id ? choices[id] !== 0 : choices[id] === 1 && page.status === 'published'
  return audience.filter(isReceiver)
}

/** Sets, replaces or repeats the caller's reaction. Each is published; the count changes only for a first one. */
async function createLike(news: Context, request: CreateLikeRequest, context: HandlerContext) {
  const { tenant, page } = await openLikedPage(news, context, request.pageId)
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
    // Counting first serialises reactions to the page on its row: otherwise, repeated reactions of one member deadlock.
    if (!(await moveCount(trx, tenant, page.id, 'like_count', 1)))
      throw (await findPage(trx, tenant, page.id))
        ? new ForbiddenError('Reactions are disabled on this page')
        : pageNotFound()
    const result = await statements.upsertLike(trx, tenant, newLike)
    // Counted above, although the member had reacted before.
    if (result.change !== 'inserted') await moveCount(trx, tenant, page.id, 'like_count', -1)
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
  const tenant = await openWorkspace(news, context, pageId)
  const member = personOf(context)
  await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, pageId)
    if (!page || !mayRead(tenant, member.memberId, page)) throw pageNotFound()
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
