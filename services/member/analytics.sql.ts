import { sql } from 'kysely'
import type { Tenant } from '../kernel/tenant.ts'
import type { Db, Trx } from './rows.ts'

/** Notes that somebody was seen now. */
export const noteSeen = (db: Db, memberId: string) =>
  db
    .insertInto('member_activity')
    .values({ member_id: memberId, seen_at: sql<Date>`current_timestamp(3)` })
    .onDuplicateKeyUpdate({ seen_at: sql<Date>`current_timestamp(3)` })
    .execute()

const present = (db: Db | Trx, tenant: Tenant) =>
  db
    .selectFrom('workspace_members as wm')
    .innerJoin('members as m', 'm.id', 'wm.member_id')
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)

/** Memberships by role and status. */
export const membershipFigures = (db: Db, tenant: Tenant) =>
  present(db, tenant)
    .select(eb => ['wm.workspace_role', 'wm.status', eb.fn.countAll<number>().as('n')])
    .groupBy(['wm.workspace_role', 'wm.status'])
    .execute()

/** Who joined since `month`, and who was seen since `day`. */
export const activityFigures = (db: Db, tenant: Tenant, { day, month }: { day: Date; month: Date }) =>
  present(db, tenant)
    .leftJoin('member_activity as a', 'a.member_id', 'm.id')
    .select(eb => [
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('wm.joined_at', '>=', month).then(1).else(0).end()), eb.lit(0))
        .as('joined'),
      eb.fn
        .coalesce(eb.fn.sum<number>(eb.case().when('a.seen_at', '>=', day).then(1).else(0).end()), eb.lit(0))
        .as('seen'),
    ])
    .executeTakeFirstOrThrow()
