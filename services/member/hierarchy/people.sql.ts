import { exempt } from '../../kernel/database/database.ts'
import type { Db } from '../rows.ts'

/** A place in the hierarchy of one hotel; without workspaces, all of it. */
export type InHotel = { ecosystemId: string; workspaceIds: string[] | undefined }

/** People of a hotel in short, as its memberships show them: those seen in these workspaces (undefined: all). */
function peopleOf(db: Db, { ecosystemId, workspaceIds }: InHotel) {
  let query = exempt(db, 'the hotel is named, or its workspaces are')
    .selectFrom('workspace_members as wm')
    .innerJoin('workspaces as w', 'w.id', 'wm.workspace_id')
    .select(['wm.member_id as id', 'wm.sort_first as first_name', 'wm.sort_last as last_name'])
    .distinct()
    .where('w.ecosystem_id', '=', ecosystemId)
    .where('w.deleted_at', 'is', null)
    .where('wm.left_at', 'is', null)
  if (workspaceIds) query = query.where('wm.workspace_id', 'in', workspaceIds)
  return query
}

/** One member in short, if they may be seen. */
export const visibleMember = async (db: Db, id: string, where: InHotel) =>
  where.workspaceIds?.length === 0 ? undefined : peopleOf(db, where).where('wm.member_id', '=', id).executeTakeFirst()

/** Those who have the member as their manager, by last name. */
export const directSubordinates = async (db: Db, id: string, where: InHotel) =>
  where.workspaceIds?.length === 0
    ? []
    : peopleOf(db, where)
        .where('wm.superior_id', '=', id)
        .orderBy('last_name')
        .orderBy('first_name')
        .orderBy('id')
        .execute()

/** Teams of a member in these workspaces, by name. */
export const teamsOf = (db: Db, memberId: string, workspaceIds: string[]) =>
  db
    .selectFrom('team_members as tm')
    .innerJoin('teams as t', 't.id', 'tm.team_id')
    .select(['t.id', 't.name', 'tm.role'])
    .where('tm.member_id', '=', memberId)
    .where('tm.workspace_id', 'in', workspaceIds)
    .where('t.workspace_id', 'in', workspaceIds)
    .where('t.deleted_at', 'is', null)
    .orderBy('t.name')
    .orderBy('t.id')
    .execute()

/** Departments of a member in these workspaces, by name. */
export const departmentsOf = (db: Db, memberId: string, workspaceIds: string[]) =>
  db
    .selectFrom('department_members as dm')
    .innerJoin('departments as d', 'd.id', 'dm.department_id')
    .select(['d.id', 'd.name', 'dm.role'])
    .where('dm.member_id', '=', memberId)
    .where('dm.workspace_id', 'in', workspaceIds)
    .where('d.workspace_id', 'in', workspaceIds)
    .where('d.deleted_at', 'is', null)
    .orderBy('d.name')
    .orderBy('d.id')
    .execute()
