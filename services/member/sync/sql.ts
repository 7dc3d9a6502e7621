import { sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import type { Db } from '../tables.ts'

const people = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.email', 'm.photo_url'])
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('w.deleted_at', 'is', null)

/** The database's clock, and the last revision of the workspace whose changes are all committed. */
export async function clockOf(db: Db, { workspaceId }: Tenant): Promise<{ now: Date; revision: number }> {
  const { rows } = await sql<{ now: Date; revision: number | string | null }>`
    select current_timestamp(3) as now,
      (select revision from workspace_revisions where workspace_id = ${workspaceId}) as revision`.execute(db)
  return { now: rows[0]?.now ?? new Date(), revision: Number(rows[0]?.revision ?? 0) }
}

/** Active members by id, after `afterId`; none while the hotel is closed. */
export function activeMembers(db: Db, tenant: Tenant, afterId: string, limit: number | undefined) {
  const query = people(db, tenant)
    .where('wm.status', '=', 'active')
    .where('wm.left_at', 'is', null)
    .where('wm.member_active', '=', 1)
    .where('m.deleted_at', 'is', null)
    .where('w.closed_at', 'is', null)
    .where('m.id', '>', afterId)
    .orderBy('m.id')
  return (limit ? query.limit(limit) : query).execute()
}

/** Members, current or former, who changed after a revision and, within it, after a member, in that order. */
export function changedMembers(
  db: Db,
  tenant: Tenant,
  after: { revision: number; id: string },
  limit: number | undefined,
) {
  const query = people(db, tenant)
    .select([
      'wm.revision',
      sql<number>`wm.status = 'active' and wm.left_at is null and wm.member_active = 1 and m.deleted_at is null
        and w.closed_at is null`.as('is_in'),
    ])
    .where('wm.revision', '>=', after.revision)
    .where(eb => eb.or([eb('wm.revision', '>', after.revision), eb('wm.member_id', '>', after.id)]))
    .orderBy('wm.revision')
    .orderBy('wm.member_id')
  return (limit ? query.limit(limit) : query).execute()
}
