import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { normalEmail } from '../../kernel/base/text.ts'
import { exempt } from '../../kernel/database/database.ts'
import { copyHotelValues, namesOnMembership } from '../people/copy.ts'
import { holdRoles } from '../rights/grants.sql.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Trx } from '../tables.ts'

export type Known = NonNullable<ReturnType<Awaited<ReturnType<typeof findPeople>>['get']>>

/** Live members by normalised address, locked, with their membership of the workspace, past or present. */
export async function findPeople(trx: Trx, tenant: Tenant, emails: string[]) {
  const rows = await exempt(trx, 'people are one record over all tenants, and the workspace is named')
    .selectFrom('members as m')
    .leftJoin('workspace_members as wm', join =>
      join.onRef('wm.member_id', '=', 'm.id').on('wm.workspace_id', '=', tenant.workspaceId),
    )
    .select(['m.id', 'm.user_id', 'm.first_name', 'm.last_name', 'm.email', 'm.live_email', 'm.photo_url'])
    .select(['m.is_active', 'm.is_super_admin', 'm.home_ecosystem_id', 'wm.member_id as known_id', 'wm.left_at'])
    .where('m.live_email', 'in', emails.map(normalEmail))
    .where('m.deleted_at', 'is', null)
    .orderBy('m.id')
    .forUpdate()
    .execute()
  return new Map(rows.map(row => [row.live_email ?? '', row]))
}

/** A person to add: new, known elsewhere, or a former member of the workspace. */
export type Arrival = Omit<Known, 'live_email'> & { index: number; role: string; isNew: boolean }

export const insertMembers = (trx: Trx, { ecosystemId }: Tenant, people: Arrival[]) =>
  trx
    .insertInto('members')
    .values(
      people.map(({ id, email, first_name, last_name }) => ({
        id,
        email,
        first_name,
        last_name,
        live_email: normalEmail(email),
        user_id: null,
        phone: null,
        photo_url: null,
        home_ecosystem_id: ecosystemId,
        registered_at: null,
        deleted_at: null,
      })),
    )
    .execute()

/** Adds members to the ecosystem and the workspace and updates the count, with a few statements for all of them. */
export async function bringIn(trx: Trx, tenant: Tenant, people: Arrival[]): Promise<void> {
  await holdRoles(
    trx,
    tenant,
    people.map(one => one.role),
  )
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
    .onDuplicateKeyUpdate({ updated_at: sql`updated_at` })
    .execute()
  const first = people.filter(one => one.known_id === null)
  if (first.length > 0)
    await trx
      .insertInto('workspace_members')
      .values(
        first.map(person => ({
          ...granted(person.role),
          ...namesOnMembership(person),
          workspace_id: tenant.workspaceId,
          member_id: person.id,
        })),
      )
      .execute()
  const back = people.filter(one => one.known_id !== null)
  for (const [role, those] of Map.groupBy(back, one => one.role))
    await trx
      .updateTable('workspace_members')
      .set(granted(role))
      .where('workspace_id', '=', tenant.workspaceId)
      .where('left_at', 'is not', null)
      .where(
        'member_id',
        'in',
        those.map(one => one.id),
      )
      .execute()
  await copyHotelValues(
    trx,
    people.map(({ id }) => id),
  )
  await trx
    .updateTable('workspaces')
    .set(eb => ({ members_count: eb('members_count', '+', people.length) }))
    .where('id', '=', tenant.workspaceId)
    .where('deleted_at', 'is', null)
    .execute()
  await markChanged(
    trx,
    people.map(({ id }) => id),
    tenant.workspaceId,
  )
}

const granted = (role: string) => ({
  workspace_role: role,
  permission_slugs: '[]',
  is_admin: role === 'admin' ? 1 : 0,
  status: 'active' as const,
  joined_at: sql<Date>`current_timestamp(3)`,
  left_at: null,
})
