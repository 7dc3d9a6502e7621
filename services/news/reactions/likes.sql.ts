import { type Insertable, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { isDuplicateKey } from '../../kernel/database/database.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import { pageQuery } from '../pages/sql.ts'
import type { NewsDb, NewsTables, NewsTrx } from '../tables.ts'

type Like = Insertable<NewsTables['likes']>

const ofMember = (db: NewsDb, tenant: Tenant, pageId: string, memberId: string) =>
  db
    .selectFrom('likes')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .where('member_id', '=', memberId)

/** Sets a member's reaction. @returns the reaction, and what changed */
export async function upsertLike(
  trx: NewsTrx,
  tenant: Tenant,
  like: Like,
): Promise<{ like: Like; change: 'inserted' | 'replaced' | 'repeated' }> {
  try {
    await trx.insertInto('likes').values(like).execute()
    return { like, change: 'inserted' }
  } catch (error) {
    if (!isDuplicateKey(error, 'likes_member')) throw error
  }
  const existingLike = await ofMember(trx, tenant, like.page_id, like.member_id).forUpdate().executeTakeFirstOrThrow()
  const { reaction_type, updated_at } = like
  if (existingLike.reaction_type === reaction_type) return { like: existingLike, change: 'repeated' }
  await trx
    .updateTable('likes')
    .set({ reaction_type, updated_at })
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', existingLike.id)
    .execute()
  return { like: { ...existingLike, reaction_type, updated_at }, change: 'replaced' }
}

/** Removes a member's reaction. @returns the reaction; undefined when there was none */
export async function removeLike(
  trx: NewsTrx,
  tenant: Tenant,
  pageId: string,
  memberId: string,
): Promise<Like | undefined> {
  const like = await ofMember(trx, tenant, pageId, memberId).forUpdate().executeTakeFirst()
  if (like) {
    await trx.deleteFrom('likes').where('workspace_id', '=', tenant.workspaceId).where('id', '=', like.id).execute()
  }
  return like
}

/** Reactions to a page by type; unused types are absent. */
export async function breakdownOf(db: NewsDb, tenant: Tenant, pageId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('likes')
    .select(['reaction_type', eb => eb.fn.countAll<number>().as('total')])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .groupBy('reaction_type')
    .execute()
  return Object.fromEntries(rows.map(row => [row.reaction_type, Number(row.total)]))
}

/** Reactions with their members, latest first; all without a limit. */
export const reactionsOf = (db: NewsDb, tenant: Tenant, pageId: string, { limit, offset }: Paging) =>
  db
    .selectFrom('likes')
    .select(['member_id', 'reaction_type'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where('page_id', '=', pageId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/**
 * A live page with the members who have set whether to be notified of reactions to it, as a JSON object of 0 and 1; null
 * for none.
 */
export const findLikedPage = (db: NewsDb, tenant: Tenant, id: string) =>
  pageQuery(db, tenant, id)
    .select(({ selectFrom }) =>
      selectFrom('page_preferences as f')
        .select(sql<string | null>`json_objectagg(f.member_id, f.notify_on_like)`.as('choices'))
        .where('f.workspace_id', '=', tenant.workspaceId)
        .where('f.page_id', '=', id)
        .where('f.notify_on_like', 'is not', null)
        .as('like_choices'),
    )
    .executeTakeFirst()

export type LikedPage = NonNullable<Awaited<ReturnType<typeof findLikedPage>>>
