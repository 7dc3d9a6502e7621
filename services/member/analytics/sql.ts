import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db } from '../tables.ts'

/** The members whom the lists of the workspace show. */
const presentMembers = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('workspace_members as wm')
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.left_at', 'is', null)

/** Memberships by role, status and activity, and how many joined since `month`: one pass over an index. */
export function membershipFigures(db: Db, tenant: Tenant, { month }: { month: Date }) {
  return presentMembers(db, tenant)
    .select(eb => ['wm.workspace_role', 'wm.status', 'wm.member_active', eb.fn.countAll<number>().as('n')])
    .select(eb => eb.fn.sum<number>(eb.case().when('wm.joined_at', '>=', month).then(1).else(0).end()).as('joined'))
    .groupBy(['wm.workspace_role', 'wm.status', 'wm.member_active'])
    .execute()
}

/** How many members were seen since `day`. Who has not accepted is seen in other hotels, which must stay unknown. */
export async function seenSince(db: Db, tenant: Tenant, { day }: { day: Date }): Promise<number> {
  const { seen } = await presentMembers(db, tenant)
    .innerJoin('member_activity as a', 'a.member_id', 'wm.member_id')
    .select(eb => eb.fn.countAll<number>().as('seen'))
    .where('a.seen_at', '>=', day)
    .where('wm.is_veiled', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(seen)
}

/** How many teams the workspace has, and how many memberships these have in total. */
export async function teamFigures(db: Db, tenant: Tenant): Promise<{ total: number; places: number }> {
  const teams = db
    .selectFrom('teams as t')
    .where('t.workspace_id', '=', tenant.workspaceId)
    .where('t.deleted_at', 'is', null)
  const { total } = await teams.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const { places } = await presentMembers(db, tenant)
    .innerJoin('team_members as tm', 'tm.member_id', 'wm.member_id')
    .innerJoin('teams as t', 't.id', 'tm.team_id')
    .select(eb => eb.fn.countAll<number>().as('places'))
    .where('tm.workspace_id', '=', tenant.workspaceId)
    .where('t.workspace_id', '=', tenant.workspaceId)
    .where('t.deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { total: Number(total), places: Number(places) }
}
