import type { CompiledQuery, Kysely } from 'kysely'
import type { Tenant } from '../kernel/tenant.ts'
import type { Tables } from './tables.ts'

// Values of a running call take the place of these in the compiled statement.
const slots = { workspaceId: ':workspaceId', id: ':id', memberId: ':memberId' }

const statement = (db: Kysely<Tables>) =>
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
        .on('l.member_id', '=', slots.memberId),
    )
    .leftJoin('page_viewers as v', join =>
      join
        .onRef('v.page_id', '=', 'p.id')
        .onRef('v.workspace_id', '=', 'p.workspace_id')
        .on('v.member_id', '=', slots.memberId),
    )
    .leftJoin('page_preferences as f', join =>
      join
        .onRef('f.page_id', '=', 'p.id')
        .onRef('f.workspace_id', '=', 'p.workspace_id')
        .on('f.member_id', '=', slots.memberId),
    )
    .leftJoin('acknowledgements as a', join =>
      join
        .onRef('a.page_id', '=', 'p.id')
        .onRef('a.workspace_id', '=', 'p.workspace_id')
        .on('a.member_id', '=', slots.memberId),
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
    .where('p.workspace_id', '=', slots.workspaceId)
    .where('p.id', '=', slots.id)
    .where('p.deleted_at', 'is', null)

type Statement = ReturnType<typeof statement>
export type ShownPage = Awaited<ReturnType<Statement['execute']>>[number]

/** Putting the statement together is a large part of what a reading costs, so it is done once. */
const compiled = new WeakMap<Kysely<Tables>, CompiledQuery<ShownPage>>()

/** A page with all that is shown of it, and what a member did with it. */
export async function readPage(
  db: Kysely<Tables>,
  { workspaceId }: Tenant,
  id: string,
  memberId: string,
): Promise<ShownPage | undefined> {
  let known = compiled.get(db)
  if (!known) compiled.set(db, (known = statement(db).compile()))
  const values = new Map<unknown, string>([
    [slots.workspaceId, workspaceId],
    [slots.id, id],
    [slots.memberId, memberId],
  ])
  const bound: CompiledQuery<ShownPage> = {
    ...known,
    parameters: known.parameters.map(value => values.get(value) ?? value),
  }
  return (await db.executeQuery(bound)).rows[0]
}
