import type { Kysely } from 'kysely'
import { firstOf, statement } from '../../kernel/database/statements.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Tables } from '../tables.ts'

type Values = { workspaceId: string; id: string; memberId: string }

const shownPage = statement((db: Kysely<Tables>, { workspaceId, id, memberId }: Values) =>
  db
    .selectFrom('pages as p')
    .innerJoin('page_bodies as b', join =>
      join.onRef('b.page_id', '=', 'p.id').onRef('b.workspace_id', '=', 'p.workspace_id'),
    )
    .leftJoin('categories as c', join =>
      join
        .onRef('c.id', '=', 'p.category_id')
        .onRef('c.workspace_id', '=', 'p.workspace_id')
        .on('c.deleted_at', 'is', null),
    )
    .leftJoin('pages as up', join =>
      join
        .onRef('up.id', '=', 'p.parent_id')
        .onRef('up.workspace_id', '=', 'p.workspace_id')
        .on('up.deleted_at', 'is', null),
    )
    .leftJoin('likes as l', join =>
      join
        .onRef('l.page_id', '=', 'p.id')
        .onRef('l.workspace_id', '=', 'p.workspace_id')
        .on('l.member_id', '=', memberId),
    )
    .leftJoin('page_viewers as v', join =>
      join
        .onRef('v.page_id', '=', 'p.id')
        .onRef('v.workspace_id', '=', 'p.workspace_id')
        .on('v.member_id', '=', memberId),
    )
    .leftJoin('page_preferences as f', join =>
      join
        .onRef('f.page_id', '=', 'p.id')
        .onRef('f.workspace_id', '=', 'p.workspace_id')
        .on('f.member_id', '=', memberId),
    )
    .leftJoin('acknowledgements as a', join =>
      join
        .onRef('a.page_id', '=', 'p.id')
        .onRef('a.workspace_id', '=', 'p.workspace_id')
        .on('a.member_id', '=', memberId),
    )
    .selectAll('p')
    .select([
      'b.content',
      'c.name as category_name',
      'c.icon as category_icon',
      'c.color as category_color',
      'up.title as parent_title',
      'up.status as parent_status',
      'up.created_by_id as parent_created_by_id',
      'l.reaction_type',
      'v.member_id as viewed_by',
      'f.is_favorite',
      'f.is_bookmarked',
      'f.is_following',
      'a.created_at as acknowledged_at',
    ])
    .where('p.workspace_id', '=', workspaceId)
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .compile(),
)

export type ShownPage = NonNullable<Awaited<ReturnType<typeof readPage>>>

/** A page with all that is shown of it, and what a member did with it. */
export const readPage = (db: Kysely<Tables>, { workspaceId }: Tenant, id: string, memberId: string) =>
  firstOf(db, shownPage(db, { workspaceId, id, memberId }))
