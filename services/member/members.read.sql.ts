import { exempt } from '../kernel/database.ts'
import type { Db } from './rows.ts'

/** Live members of these ids or below this manager who are seen in these workspaces (undefined: everywhere). */
function visibleMembers(db: Db, workspaceIds: string[] | undefined) {
  const query = exempt(db, 'the workspaces are named, or a platform administrator asks')
    .selectFrom('members as m')
    .select(['m.id', 'm.first_name', 'm.last_name'])
    .where('m.deleted_at', 'is', null)
  if (!workspaceIds) return query
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom('workspace_members as wm')
        .select('wm.member_id')
        .whereRef('wm.member_id', '=', 'm.id')
        .where('wm.workspace_id', 'in', workspaceIds)
        .where('wm.left_at', 'is', null),
    ),
  )
}

/** One member in short, if they may be seen. */
export const visibleMember = (db: Db, id: string, workspaceIds: string[] | undefined) =>
  visibleMembers(db, workspaceIds).where('m.id', '=', id).executeTakeFirst()

/** Those who have the member as their manager, by last name. */
export const directSubordinates = (db: Db, id: string, workspaceIds: string[] | undefined) =>
  visibleMembers(db, workspaceIds)
    .where('m.superior_id', '=', id)
    .orderBy('m.last_name')
    .orderBy('m.first_name')
    .orderBy('m.id')
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
