import { isDeepStrictEqual } from 'node:util'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { normalizeEmail } from '../../kernel/base/text.ts'
import { exempt } from '../../kernel/database/database.ts'
import { findHotelMembership } from '../hotel-memberships/sql.ts'
import { markChanged } from '../sync/mark.sql.ts'
import type { Db, MembershipStatus, Trx } from '../tables.ts'

/** A current membership of a live member with its role id, locked. */
export const lockMembership = (trx: Trx, tenant: Tenant, memberId: string) =>
  currentMembers(trx, tenant)
    .leftJoin('workspace_roles as r', join =>
      join.onRef('r.workspace_id', '=', 'wm.workspace_id').onRef('r.live_slug', '=', 'wm.workspace_role'),
    )
    .selectAll('wm')
    .select(['m.id', 'wm.sort_first as first_name', 'wm.sort_last as last_name', 'm.is_super_admin', 'r.id as role_id'])
    .select(eb => eb.fn.coalesce('wm.typed_email', 'm.email').as('email'))
    .where('wm.member_id', '=', memberId)
    .where('r.deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

type MembershipChange = Partial<{
  workspace_role: string
  permission_slugs: string
  is_admin: number
  status: MembershipStatus
}>

/** Whether a change sets another value. MySQL writes lists with spaces. */
export const isChange = (before: Required<MembershipChange>, set: MembershipChange): boolean =>
  Object.entries(set).some(([column, value]) => {
    const earlier = before[column as keyof MembershipChange]
    return column === 'permission_slugs'
      ? !isDeepStrictEqual(JSON.parse(String(earlier)), JSON.parse(String(value)))
      : value !== earlier
  })

/** Changes a current membership. */
export async function updateMembership(
  trx: Trx,
  tenant: Tenant,
  memberId: string,
  set: MembershipChange,
): Promise<void> {
  await trx
    .updateTable('workspace_members')
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('member_id', '=', memberId)
    .where('left_at', 'is', null)
    .execute()
  if (set.status) await markChanged(trx, [memberId], tenant.workspaceId)
}

/** Whether a live member belongs to the ecosystem: directly, or through a workspace of it, former ones included. */
export const belongsToEcosystem = async (db: Db, tenant: Tenant, memberId: string): Promise<boolean> =>
  ((await findHotelMembership(db, tenant.ecosystemId, memberId)) ?? (await findNamesIn(db, tenant, memberId))) !==
  undefined

/** The names and the typed address on a membership of the ecosystem, current or former. */
const findNamesIn = (db: Db, { ecosystemId }: Tenant, memberId: string) =>
  exempt(db, 'the ecosystem is the tenant here, and its workspaces are joined by it')
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .select(['wm.sort_first', 'wm.sort_last', 'wm.typed_email'])
    .where('w.ecosystem_id', '=', ecosystemId)
    .where('wm.member_id', '=', memberId)
    .where('w.deleted_at', 'is', null)
    .executeTakeFirst()

/**
 * The names and the address under which a hotel knows a person outside of it: those that it typed, or those at the time
 * they left. Undefined when the address isn't the person's any more.
 */
export async function loadNamesIn(db: Db, tenant: Tenant, person: { id: string; email: string }) {
  const row = await findNamesIn(db, tenant, person.id)
  const { email } = person
  if (row?.typed_email && normalizeEmail(row.typed_email) !== normalizeEmail(email)) return undefined
  return { email, firstName: row?.sort_first || (email.split('@')[0] ?? email), lastName: row?.sort_last ?? '' }
}

/** Current memberships `wm` of live members `m` in a workspace. */
export const currentMembers = (db: Db, { workspaceId }: Pick<Tenant, 'workspaceId'>) =>
  db
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .where('wm.workspace_id', '=', workspaceId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)

/** Whether a live member belongs to the workspace, pending and suspended members included. */
export const isMember = async (db: Db, tenant: Tenant, memberId: string): Promise<boolean> =>
  (await currentMembers(db, tenant).select('m.id').where('m.id', '=', memberId).executeTakeFirst()) !== undefined

/** The membership of a member, current or ended. */
export const findMembership = (db: Db, tenant: Tenant, memberId: string) =>
  db
    .selectFrom('workspace_members')
    .selectAll()
    .where('workspace_id', '=', tenant.workspaceId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()

/** Maximum of receivers in one event: the bus accepts messages up to 1 MiB. */
const maxReceivers = 20_000

/** Ids of the active members, as receivers of an event; of a very large workspace only the first. */
export async function receiversOf(db: Db, tenant: Tenant): Promise<string[]> {
  const rows = await currentMembers(db, tenant)
    .select('wm.member_id')
    .where('wm.status', '=', 'active')
    .where('wm.member_active', '=', 1)
    .orderBy('wm.member_id')
    .limit(maxReceivers)
    .execute()
  return rows.map(row => row.member_id)
}

/** Memberships of a member, ended ones included, oldest first; with workspaceIds, only in these. */
export function membershipsOf(db: Db, memberId: string, workspaceIds: string[] | undefined) {
  const query = exempt(db, 'the person is named; workspaces are too, unless everything about them is asked for')
    .selectFrom('workspace_members as wm')
    .leftJoin('workspace_roles as r', join =>
      join.onRef('r.workspace_id', '=', 'wm.workspace_id').onRef('r.live_slug', '=', 'wm.workspace_role'),
    )
    .selectAll('wm')
    .select('r.id as role_id')
    .where('wm.member_id', '=', memberId)
    .orderBy('wm.joined_at')
    .orderBy('wm.workspace_id')
  return (workspaceIds ? query.where('wm.workspace_id', 'in', workspaceIds) : query).execute()
}
