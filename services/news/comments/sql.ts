import { type Insertable, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { pageQuery } from '../pages/sql.ts'
import type { CommentRow, NewsDb, NewsTables, NewsTrx } from '../tables.ts'
import type { OutlineRow } from './tree.ts'

const liveComments = (db: NewsDb, tenant: Tenant) =>
  db.selectFrom('comments').where('workspace_id', '=', tenant.workspaceId).where('deleted_at', 'is', null)

export const findComment = (db: NewsDb, tenant: Tenant, id: string): Promise<CommentRow | undefined> =>
  liveComments(db, tenant).selectAll().where('id', '=', id).executeTakeFirst()

export const lockComment = (trx: NewsTrx, tenant: Tenant, id: string): Promise<CommentRow | undefined> =>
  liveComments(trx, tenant).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * Locks those comments that are live and on the page, until the transaction ends.
 * @returns how many of them there are
 */
export async function holdParents(trx: NewsTrx, tenant: Tenant, pageId: string, ids: string[]): Promise<number> {
  const rows = await liveComments(trx, tenant)
    .select('id')
    .where('id', 'in', ids)
    .where('page_id', '=', pageId)
    .orderBy('id')
    .modifyEnd(sql`lock in share mode`)
    .execute()
  return rows.length
}

const withDeleted = (db: NewsDb, tenant: Tenant, pageId: string) =>
  exempt(db, 'a deleted comment keeps the place of its replies')
    .selectFrom('comments')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .orderBy('created_at')
    .orderBy('id')

/** The first comments of a page, oldest first, including deleted ones, which may carry replies. */
export const firstComments = (db: NewsDb, tenant: Tenant, pageId: string, limit: number): Promise<CommentRow[]> =>
  withDeleted(db, tenant, pageId).selectAll().limit(limit).execute()

/** All comments of a page without their texts, oldest first, including deleted ones. */
export const outlineOfPage = (db: NewsDb, tenant: Tenant, pageId: string): Promise<OutlineRow[]> =>
  withDeleted(db, tenant, pageId)
    .select(['id', 'parent_id', 'member_id', 'deleted_at'])
    .select(sql<number>`length(content)`.as('bytes'))
    .execute()

/** The given comments of a page, deleted or not. Oldest first. */
export const commentsAmong = (db: NewsDb, tenant: Tenant, pageId: string, ids: string[]): Promise<CommentRow[]> =>
  withDeleted(db, tenant, pageId).selectAll().where('id', 'in', ids).execute()

export async function insertComments(trx: NewsTrx, comments: Insertable<NewsTables['comments']>[]): Promise<void> {
  await trx.insertInto('comments').values(comments).execute()
}

/** Ids of the comments of a page that a member likes. */
export async function likedComments(
  db: NewsDb,
  tenant: Tenant,
  pageId: string,
  memberId: string,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('comment_likes')
    .select('comment_id')
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .where('member_id', '=', memberId)
    .execute()
  return new Set(rows.map(row => row.comment_id))
}

/** Adds or removes a like of a locked comment. @returns whether that changed anything */
export async function setCommentLike(
  trx: NewsTrx,
  tenant: Tenant,
  comment: Pick<CommentRow, 'id' | 'page_id'>,
  memberId: string,
  isLiked: boolean,
): Promise<boolean> {
  const key = { comment_id: comment.id, member_id: memberId, workspace_id: tenant.workspaceId }
  const likeChange = isLiked
    ? (
        await trx
          .insertInto('comment_likes')
          .ignore()
          .values({ ...key, page_id: comment.page_id, created_at: new Date() })
          .executeTakeFirst()
      ).numInsertedOrUpdatedRows
    : (
        await trx
          .deleteFrom('comment_likes')
          .where(eb => eb.and(key))
          .executeTakeFirst()
      ).numDeletedRows
  return likeChange !== undefined && likeChange > 0n
}

/** A live page with JSON lists of the members who have switched off its comment notifications, and who follow them. */
export const findCommentedPage = (db: NewsDb, tenant: Tenant, id: string) =>
  pageQuery(db, tenant, id)
    .select(({ selectFrom }) => {
      const memberIds = selectFrom('page_preferences as f')
        .select(sql<string | null>`json_arrayagg(f.member_id)`.as('member_ids'))
        .where('f.workspace_id', '=', tenant.workspaceId)
        .where('f.page_id', '=', id)
      return [
        memberIds.where('f.notify_on_comment', '=', 0).as('muted_by'),
        memberIds.where('f.is_following', '=', 1).as('followed_by'),
      ]
    })
    .executeTakeFirst()

export type CommentedPage = NonNullable<Awaited<ReturnType<typeof findCommentedPage>>>
