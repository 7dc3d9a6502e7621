import { type Kysely, sql } from 'kysely'
import { exempt } from '../../kernel/database/database.ts'
import type { NewsTables } from '../tables.ts'

/** A member, the workspaces that they may read, and a period of publication. */
type DigestScope = { memberId: string; workspaceIds: readonly string[]; since: Date; until: Date }

const maxPages = 10

/** Unread pages of a period, must-reads first, then newest first; each row carries the number of all. */
export function unreadPages(db: Kysely<NewsTables>, { memberId, workspaceIds, since, until }: DigestScope) {
  return exempt(db, 'the caller names the workspaces of the member')
    .selectFrom('pages as p')
    .leftJoin('must_reads as m', 'm.page_id', 'p.id')
    .select(['p.id', 'p.workspace_id', 'p.title', 'p.excerpt', 'p.medias', 'p.is_must_read', 'm.due_at'])
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('p.workspace_id', 'in', workspaceIds)
    .where('p.deleted_at', 'is', null)
    .where('p.status', '=', 'published')
    .where('p.published_at', '>', since)
    .where('p.published_at', '<=', until)
    .where('p.is_silent', '=', 0)
    .where('p.created_by_id', '<>', memberId)
    .where(({ not, exists, selectFrom, or, and, eb }) =>
      or([
        and([
          eb('p.is_must_read', '=', 1),
          not(
            exists(
              selectFrom('acknowledgements as a')
                .select('a.page_id')
                .whereRef('a.page_id', '=', 'p.id')
                .where('a.member_id', '=', memberId),
            ),
          ),
        ]),
        and([
          eb('p.is_must_read', '=', 0),
          not(
            exists(
              selectFrom('page_viewers as v')
                .select('v.page_id')
                .whereRef('v.page_id', '=', 'p.id')
                .where('v.member_id', '=', memberId),
            ),
          ),
        ]),
      ]),
    )
    .orderBy('p.is_must_read', 'desc')
    .orderBy('p.published_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(maxPages)
    .execute()
}
