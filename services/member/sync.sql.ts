import { sql } from 'kysely'
import type { Tenant } from '../kernel/tenant.ts'
import type { Db } from './rows.ts'

const people = (db: Db, tenant: Tenant) =>
  db
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.email', 'm.photo_url'])
    .where('wm.workspace_id', '=', tenant.workspaceId)

/** The database's clock. */
export async function databaseNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select current_timestamp(3) as now`.execute(db)
  return rows[0]?.now ?? new Date()
}

/** Active members by id, after one of them. */
export function activeMembers(db: Db, tenant: Tenant, afterId: string, limit: number | undefined) {
  const query = people(db, tenant)
    .where('wm.status', '=', 'active')
    .where('wm.left_at', 'is', null)
    .where('m.is_active', '=', 1)
    .where('m.deleted_at', 'is', null)
    .where('m.id', '>', afterId)
    .orderBy('m.id')
  return (limit ? query.limit(limit) : query).execute()
}

/** Members who changed since, in the order of their last change, whether they are in or have gone. */
export function changedMembers(db: Db, tenant: Tenant, since: Date, after: [Date, string], limit: number | undefined) {
  const changedAt = sql<Date>`greatest(wm.updated_at, m.updated_at)`
  const query = people(db, tenant)
    .select([
      changedAt.as('changed_at'),
      sql<number>`wm.status = 'active' and wm.left_at is null and m.is_active = 1 and m.deleted_at is null`.as('is_in'),
    ])
    .where(changedAt, '>=', since)
    .where(eb =>
      eb.or([eb(changedAt, '>', after[0]), eb.and([eb(changedAt, '=', after[0]), eb('m.id', '>', after[1])])]),
    )
    .orderBy('changed_at')
    .orderBy('m.id')
  return (limit ? query.limit(limit) : query).execute()
}
