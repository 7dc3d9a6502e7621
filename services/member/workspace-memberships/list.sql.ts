import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { fold } from '../../kernel/base/texts/fold.ts'
import type { Paging } from '../../kernel/rpc/paging.ts'
import type { Db, MembershipStatus, WorkspaceMembersTable } from '../tables.ts'

export type MemberFilter = {
  role?: string | undefined
  status?: string | undefined
  isActive?: boolean | undefined
  /** Part of a name or an address, as typed. */
  search?: string | undefined
  teamId?: string | undefined
  departmentId?: string | undefined
  memberIds?: string[] | undefined
}

type Window = Omit<Paging, 'page'>

/**
 * Members of a workspace that match a filter, by last name, first name and id, with their total. The search compares
 * bytes of folded text, so no character acts as a wildcard.
 */
export async function listMembers(db: Db, tenant: Tenant, filter: MemberFilter, window: Window) {
  if (isUnfiltered(filter)) {
    const [rows, total] = await Promise.all([listMembersPage(db, tenant, filter, window), membersCount(db, tenant)])
    return { rows, total }
  }
  const rows = await listMembersPage(db, tenant, filter, window)
  const { limit, offset } = window
  // A page that is not full is the last one and gives the total; a search has then read all rows anyway.
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
  return { rows, total: isLast ? offset + rows.length : await countOf(db, tenant, filter) }
}

const isUnfiltered = (filter: MemberFilter): boolean => Object.values(filter).every(value => !value && value !== false)

const source = (alias: RawBuilder<unknown>) => sql.table<WorkspaceMembersTable>('workspace_members').as<'wm'>(alias)
const anyIndex = source(sql`wm`)
/**
 * In the order of the list. Beside many other workspaces the planner would rather sort all members of this one, by a
 * narrower index.
 */
const inOrder = source(sql`wm force index (workspace_members_list)`)

/** The members of a team or department of the workspace that isn't deleted. */
function inGroup(kind: 'team' | 'department', { workspaceId }: Tenant, id: string): RawBuilder<string> {
  const groupId = sql.ref(`${kind}_id`)
  return sql`(select gm.member_id from ${sql.table(`${kind}_members`)} gm
    join ${sql.table(`${kind}s`)} g on g.id = gm.${groupId}
    where gm.workspace_id = ${workspaceId} and g.workspace_id = ${workspaceId} and g.deleted_at is null
      and gm.${groupId} = ${id})`
}

/** Memberships that match a filter, from index columns alone. Deleting a member ends their memberships. */
function matchingMembers(db: Db, tenant: Tenant, filter: MemberFilter, members: typeof anyIndex) {
  const { role, status, isActive, search, teamId, departmentId, memberIds } = filter
  let query = db.selectFrom(members).where('wm.workspace_id', '=', tenant.workspaceId).where('wm.left_at', 'is', null)
  if (role) query = query.where('wm.workspace_role', '=', role)
  if (status) query = query.where('wm.status', '=', status as MembershipStatus)
  if (memberIds) query = query.where('wm.member_id', 'in', memberIds)
  if (isActive !== undefined) query = query.where('wm.member_active', '=', isActive ? 1 : 0)
  if (teamId) query = query.where('wm.member_id', 'in', inGroup('team', tenant, teamId))
  if (departmentId) query = query.where('wm.member_id', 'in', inGroup('department', tenant, departmentId))
  return search ? query.where(sql<number>`instr(wm.search_text, ${Buffer.from(fold(search.trim()))})`, '>', 0) : query
}

/** The query of a page: finds the page in the list's index, then reads only its members. */
export function pageStatement(db: Db, tenant: Tenant, filter: MemberFilter, window: Window) {
  const { role, memberIds, teamId, departmentId } = filter
  const hasOwnIndex = role || memberIds || teamId || departmentId
  const onPage = matchingMembers(db, tenant, filter, hasOwnIndex ? anyIndex : inOrder)
    .select('wm.member_id')
    .orderBy('wm.sort_last')
    .orderBy('wm.sort_first')
    .orderBy('wm.member_id')
    .limit(window.limit)
    .offset(window.offset)
  return (
    db
      .selectFrom(onPage.as('page'))
      // Joins from the page to its members; for a page far behind the planner would estimate the whole list.
      .modifyFront(sql`straight_join`)
      .innerJoin('workspace_members as wm', 'wm.member_id', 'page.member_id')
      .innerJoin('members as m', 'm.id', 'wm.member_id')
      .select(['wm.member_id', 'wm.workspace_role', 'wm.permission_slugs', 'wm.status', 'wm.is_admin', 'wm.joined_at'])
      .select(['wm.is_veiled', 'wm.sort_first', 'wm.sort_last', 'wm.typed_email', 'wm.member_active'])
      .selectAll('m')
      .where('wm.workspace_id', '=', tenant.workspaceId)
      .orderBy('wm.sort_last')
      .orderBy('wm.sort_first')
      .orderBy('wm.member_id')
  )
}

/** A page of the members of a workspace. */
export function listMembersPage(db: Db, tenant: Tenant, filter: MemberFilter, window: Window) {
  return pageStatement(db, tenant, filter, window).execute()
}

/** The query that counts the matches of a filter. */
export const countStatement = (db: Db, tenant: Tenant, filter: MemberFilter) =>
  matchingMembers(db, tenant, filter, anyIndex).select(eb => eb.fn.countAll<number>().as('total'))

async function countOf(db: Db, tenant: Tenant, filter: MemberFilter): Promise<number> {
  const { total } = await countStatement(db, tenant, filter).executeTakeFirstOrThrow()
  return Number(total)
}

/** The workspace's counter, which each joining or leaving transaction updates. */
async function membersCount(db: Db, tenant: Tenant): Promise<number> {
  const row = await db
    .selectFrom('workspaces')
    .select('members_count')
    .where('id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.members_count ?? 0
}
