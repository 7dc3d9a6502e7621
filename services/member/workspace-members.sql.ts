import { sql } from 'kysely'
import { exempt } from '../kernel/database.ts'
import type { Paging } from '../kernel/paging.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Db, Trx } from './rows.ts'
import type { MembershipStatus } from './tables.ts'

export type MembershipFilter = {
  role?: string | undefined
  status?: string | undefined
  isActive?: boolean | undefined
  /** For LIKE. */
  pattern?: string | undefined
}

/** The live members of a workspace that a filter lets through. */
function filtered(db: Db, tenant: Tenant, { role, status, isActive, pattern }: MembershipFilter) {
  let query = db
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)
  if (role) query = query.where('wm.workspace_role', '=', role)
  if (status) query = query.where('wm.status', '=', status as MembershipStatus)
  if (isActive !== undefined) query = query.where('m.is_active', '=', isActive ? 1 : 0)
  if (!pattern) return query
  const fullName = sql<string>`concat(m.first_name, ' ', m.last_name)`
  return query.where(eb => eb.or([eb(fullName, 'like', pattern), eb('m.email', 'like', pattern)]))
}

/** A page of the members of a workspace, by last name, first name and id. */
export function pageOfMembers(
  db: Db,
  tenant: Tenant,
  filter: MembershipFilter,
  { limit, offset }: Omit<Paging, 'page'>,
) {
  // Without a filter the index alone says who is on the page: rows before it are never looked at. Whoever is deleted
  // has left every workspace.
  const isWhole = Object.values(filter).every(value => value === undefined)
  const those = isWhole
    ? db
        .selectFrom('workspace_members as wm')
        .where('wm.workspace_id', '=', tenant.workspaceId)
        .where('wm.left_at', 'is', null)
    : filtered(db, tenant, filter)
  const onPage = those
    .select('wm.member_id')
    .orderBy('wm.sort_last')
    .orderBy('wm.sort_first')
    .orderBy('wm.member_id')
    .limit(limit)
    .offset(offset)
  return filtered(db, tenant, {})
    .innerJoin(onPage.as('page'), 'page.member_id', 'wm.member_id')
    .selectAll('wm')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.email', 'm.photo_url', 'm.is_active'])
    .orderBy('wm.sort_last')
    .orderBy('wm.sort_first')
    .orderBy('wm.member_id')
    .execute()
}

/** How many members a filter lets through; without one the workspace's own counter says it. */
export async function countOfMembers(db: Db, tenant: Tenant, filter: MembershipFilter): Promise<number> {
  if (Object.values(filter).every(value => value === undefined)) {
    const row = await db
      .selectFrom('workspaces')
      .select('members_count')
      .where('id', '=', tenant.workspaceId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return row?.members_count ?? 0
  }
  const row = await filtered(db, tenant, filter)
    .select(eb => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

/** A membership that has not ended, of a live member, locked, with the id of its role. */
export const lockMembership = (trx: Trx, tenant: Tenant, memberId: string) =>
  trx
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .leftJoin('workspace_roles as r', join =>
      join.onRef('r.workspace_id', '=', 'wm.workspace_id').onRef('r.live_slug', '=', 'wm.workspace_role'),
    )
    .selectAll('wm')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.is_super_admin', 'r.id as role_id'])
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.member_id', '=', memberId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .where('r.deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

/** Changes a membership that has not ended. */
export const updateMembership = (
  trx: Trx,
  tenant: Tenant,
  memberId: string,
  set: Partial<{ workspace_role: string; permission_slugs: string; is_admin: number; status: MembershipStatus }>,
) =>
  trx
    .updateTable('workspace_members')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('member_id', '=', memberId)
    .where('left_at', 'is', null)
    .execute()

/** Whether a live member belongs to the ecosystem: directly, or by a workspace of it, left or not. */
export async function belongsToEcosystem(db: Db, { ecosystemId }: Tenant, memberId: string): Promise<boolean> {
  const direct = await db
    .selectFrom('ecosystem_memberships')
    .select('member_id')
    .where('ecosystem_id', '=', ecosystemId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  if (direct) return true
  const through = await exempt(db, 'the ecosystem is the tenant here, and its workspaces are joined by it')
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .select('wm.member_id')
    .where('w.ecosystem_id', '=', ecosystemId)
    .where('wm.member_id', '=', memberId)
    .where('w.deleted_at', 'is', null)
    .executeTakeFirst()
  return through !== undefined
}

/** Whether somebody is a live member of the workspace, pending and suspended ones included. */
export async function isMember(db: Db, tenant: Tenant, memberId: string): Promise<boolean> {
  const row = await db
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .select('wm.member_id')
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.member_id', '=', memberId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
