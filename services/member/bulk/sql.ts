import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { exempt } from '../../kernel/database/database.ts'
import { copiedNames, copyHotelValues } from '../hotel-memberships/copy.ts'
import { lockRoles } from '../rights/grants.sql.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Trx } from '../tables.ts'
import { countMembers, grantColumns, grantOf } from '../workspace-memberships/join.sql.ts'

export type BulkPerson = NonNullable<ReturnType<Awaited<ReturnType<typeof findPeople>>['get']>>

/** Live members by normalised address, locked, with their membership of the workspace, past or present. */
export async function findPeople(trx: Trx, tenant: Tenant, emails: string[]) {
  const rows = await exempt(trx, 'people are one record over all tenants, and the workspace is named')
    .selectFrom('members as m')
    .leftJoin('workspace_members as wm', join =>
      join.onRef('wm.member_id', '=', 'm.id').on('wm.workspace_id', '=', tenant.workspaceId),
    )
    .select(['m.id', 'm.user_id', 'm.first_name', 'm.last_name', 'm.email', 'm.live_email', 'm.photo_url'])
    .select(['m.is_active', 'm.is_super_admin', 'm.home_ecosystem_id', 'wm.member_id as known_id', 'wm.left_at'])
    .where('m.live_email', 'in', emails)
    .where('m.deleted_at', 'is', null)
    .orderBy('m.id')
    .forUpdate()
    .execute()
  return new Map(rows.map(row => [row.live_email ?? '', row]))
}

/** A person who joins: new, known elsewhere, or a former member of the workspace. */
export type BulkNewcomer = Omit<BulkPerson, 'live_email' | 'is_super_admin' | 'home_ecosystem_id' | 'left_at'> & {
  role: string
  isNew: boolean
}

/** Adds members to the ecosystem and the workspace, as insertActiveMembership does one, with a few statements for all of them. */
export async function joinAll(trx: Trx, tenant: Tenant, newcomers: BulkNewcomer[]): Promise<void> {
  const ids = newcomers.map(one => one.id)
  const roles = newcomers.map(one => one.role)
  await lockRoles(trx, tenant, roles)
  const inHotel = { ecosystem_id: tenant.ecosystemId, permissions: '[]', role: 'member' as const }
  await trx
    .insertInto('ecosystem_memberships')
    .values(ids.map(member_id => ({ ...inHotel, member_id })))
    .onDuplicateKeyUpdate({ updated_at: sql`updated_at` })
    .execute()
  const memberships = newcomers.map(person => ({
    ...grantColumns(grantOf(person.role), 'active'),
    ...copiedNames(person),
    workspace_id: tenant.workspaceId,
    member_id: person.id,
  }))
  const renewedColumns = Object.keys(memberships[0] ?? {}).map(name => [name, sql`values(${sql.ref(name)})`])
  await trx
    .insertInto('workspace_members')
    .values(memberships)
    .onDuplicateKeyUpdate(Object.fromEntries(renewedColumns))
    .execute()
  await copyHotelValues(trx, ids)
  await countMembers(trx, tenant, ids.length)
  await markChanged(trx, ids, tenant.workspaceId)
}
