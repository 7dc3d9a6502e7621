import { sql } from 'kysely'
import { exempt } from '../kernel/database.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { type Db, normalisedEmail, type Trx } from './rows.ts'

/** Live members by normalised address, with their membership of the workspace when they ever had one. */
export async function findPeople(db: Db, tenant: Tenant, emails: string[]) {
  const rows = await exempt(db, 'people are one record over all tenants, and the workspace is named')
    .selectFrom('members as m')
    .leftJoin('workspace_members as wm', join =>
      join.onRef('wm.member_id', '=', 'm.id').on('wm.workspace_id', '=', tenant.workspaceId),
    )
    .selectAll('m')
    .select(['wm.member_id as known_id', 'wm.left_at'])
    .where('m.live_email', 'in', emails.map(normalisedEmail))
    .where('m.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(row => [row.live_email ?? '', row]))
}

export type Newcomer = { id: string; email: string; first_name: string; last_name: string; role: string }

/** Inserts members with their memberships of ecosystem and workspace, and counts them: three statements for all. */
export async function insertNewcomers(trx: Trx, tenant: Tenant, people: Newcomer[]): Promise<void> {
  if (people.length === 0) return
  await trx
    .insertInto('members')
    .values(
      people.map(({ id, email, first_name, last_name }) => ({
        id,
        email,
        first_name,
        last_name,
        live_email: normalisedEmail(email),
        user_id: null,
        phone: null,
        photo_url: null,
        superior_id: null,
        registered_at: null,
        deleted_at: null,
      })),
    )
    .execute()
  await trx
    .insertInto('ecosystem_memberships')
    .values(
      people.map(({ id }) => ({
        member_id: id,
        ecosystem_id: tenant.ecosystemId,
        permissions: '[]',
        role: 'member' as const,
      })),
    )
    .execute()
  await trx
    .insertInto('workspace_members')
    .values(
      people.map(({ id, role, first_name, last_name }) => ({
        workspace_id: tenant.workspaceId,
        member_id: id,
        workspace_role: role,
        permission_slugs: '[]',
        is_admin: role === 'admin' ? 1 : 0,
        status: 'active' as const,
        joined_at: sql<Date>`current_timestamp(3)`,
        left_at: null,
        sort_last: last_name,
        sort_first: first_name,
      })),
    )
    .execute()
  await trx
    .updateTable('workspaces')
    .set(eb => ({ members_count: eb('members_count', '+', people.length) }))
    .where('id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Memberships of these members that have not ended, locked in one order, with addresses and role ids. */
export async function lockMemberships(trx: Trx, tenant: Tenant, memberIds: string[]) {
  const rows = await trx
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .leftJoin('workspace_roles as r', join =>
      join
        .onRef('r.workspace_id', '=', 'wm.workspace_id')
        .onRef('r.live_slug', '=', 'wm.workspace_role')
        .on('r.deleted_at', 'is', null),
    )
    .selectAll('wm')
    .select(['m.email', 'r.id as role_id'])
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.member_id', 'in', memberIds)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .orderBy('wm.member_id')
    .forUpdate()
    .execute()
  return new Map(rows.map(row => [row.member_id, row]))
}
