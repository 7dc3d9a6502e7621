import { sql } from 'kysely'
import { fold } from '../../kernel/base/texts/fold.ts'
import { exempt } from '../../kernel/database/database.ts'
import { countRows } from '../../kernel/database/rows.ts'
import { likePattern, type Paging } from '../../kernel/rpc/paging.ts'
import { notOfDeletedHotel } from '../hotel-memberships/closing.sql.ts'
import type { Db, MembershipStatus } from '../tables.ts'

type Filter = {
  role?: string | undefined
  status?: string | undefined
  isActive?: boolean | undefined
  search?: string | undefined
}

/** Current memberships of the member `m` in live workspaces, without those in deleted hotels. */
const memberships = (db: Db) =>
  db
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .select('wm.member_id')
    .where('wm.member_id', '=', sql.ref<string>('m.id'))
    .where('wm.left_at', 'is', null)
    .where('w.deleted_at', 'is', null)
    .where(notOfDeletedHotel)

/** Active in one of their workspaces; without any, on the platform. */
export const isActiveIn = (member: { is_active: number }, memberships: { member_active: number }[]): boolean =>
  memberships.length === 0 ? member.is_active === 1 : memberships.some(one => one.member_active === 1)

/** Live members of the whole platform that match a filter. A search ignores case and accents, as the column does. */
function matchingMembers(db: Db, { role, status, isActive, search }: Filter) {
  const allTenants = exempt(db, 'the platform lists the members of all tenants')
  let query = allTenants.selectFrom('members as m').where('m.deleted_at', 'is', null)
  if (role || status) {
    let places = memberships(allTenants)
    if (role) places = places.where('wm.workspace_role', '=', role)
    if (status) places = places.where('wm.status', '=', status as MembershipStatus)
    query = query.where(({ exists }) => exists(places))
  }
  if (isActive !== undefined) {
    const active = memberships(allTenants).where('wm.member_active', '=', 1)
    query = query.where(({ exists, not, or, and, eb }) => {
      const isActiveSomewhere = or([
        exists(active),
        and([eb('m.is_active', '=', 1), not(exists(memberships(allTenants)))]),
      ])
      return isActive ? isActiveSomewhere : not(isActiveSomewhere)
    })
  }
  if (!search) return query
  const text = sql<string>`concat(m.first_name, ' ', m.last_name, '\n', m.email)`
  return query.where(text, 'like', likePattern(fold(search)))
}

/** The query of a page of everybody, by last name, first name and id. */
export const listEverybodyPage = (db: Db, filter: Filter, { limit, offset }: Pick<Paging, 'limit' | 'offset'>) =>
  matchingMembers(db, filter)
    .selectAll('m')
    .orderBy('m.last_name')
    .orderBy('m.first_name')
    .orderBy('m.id')
    .limit(limit)
    .offset(offset)
    .execute()

/** A page of the members of the whole platform, with their total. */
export async function listEverybody(db: Db, filter: Filter, page: Paging) {
  const [rows, total] = await Promise.all([listEverybodyPage(db, filter, page), countRows(matchingMembers(db, filter))])
  return { rows, total }
}
