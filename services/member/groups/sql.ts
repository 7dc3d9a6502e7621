import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { exempt } from '../../kernel/database/database.ts'
import type { Db, MemberTables, Trx } from '../tables.ts'
import type { GroupKind } from './kinds.ts'

/** A group with its head and the number of its members. */
export type MemberGroupRow<Kind extends GroupKind> = Selectable<MemberTables[Kind['table']]> & {
  id: string
  head_id: string | null
  members_count: number
}

/** Columns of one kind that a request may set. */
export type GroupFields<Kind extends GroupKind> = Partial<Record<keyof MemberTables[Kind['table']], string | undefined>>

/** Workspace of a live group. */
export const locateGroup = (db: Db, kind: GroupKind, id: string) =>
  exempt(db, 'locates the tenant of a record')
    .selectFrom(kind.table)
    .select('workspace_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Groups of a workspace by name, with the number of direct members who are in the workspace. */
export const groupsWithCounts = (db: Db, tenant: Tenant, kind: GroupKind) =>
  db
    .selectFrom(db.dynamic.table(kind.table).as('g'))
    .selectAll('g')
    .select(sql.ref<string | null>(`g.${kind.headColumn}`).as('head_id'))
    .select(eb =>
      eb
        .selectFrom(db.dynamic.table(kind.memberTable).as('gm'))
        .innerJoin('workspace_members as wm', 'wm.member_id', 'gm.member_id')
        .select(one => one.fn.countAll<number>().as('count'))
        .whereRef(db.dynamic.ref(`gm.${kind.idColumn}`), '=', 'g.id')
        .where('gm.workspace_id', '=', tenant.workspaceId)
        .where('wm.workspace_id', '=', tenant.workspaceId)
        .where('wm.left_at', 'is', null)
        .as('members_count'),
    )
    .where('g.workspace_id', '=', tenant.workspaceId)
    .where('g.deleted_at', 'is', null)
    .orderBy('g.name')
    .orderBy('g.id')

/** The same rows with the columns of their kind. */
export const listGroups = <Kind extends GroupKind>(db: Db, tenant: Tenant, kind: Kind) =>
  groupsWithCounts(db, tenant, kind).$castTo<MemberGroupRow<Kind>>().execute()

/** A live group. */
export const findGroup = async <Kind extends GroupKind>(db: Db, tenant: Tenant, kind: Kind, id: string) =>
  (await groupsWithCounts(db, tenant, kind)
    .where('g.id', '=', id)
    .$castTo<MemberGroupRow<Kind>>()
    .executeTakeFirst()) as MemberGroupRow<Kind> | undefined

export async function insertGroup<Kind extends GroupKind>(
  trx: Trx,
  tenant: Tenant,
  kind: Kind,
  name: string,
  fields: GroupFields<Kind>,
): Promise<string> {
  const id = newId()
  const columns = { id, workspace_id: tenant.workspaceId, name, description: null, deleted_at: null }
  await trx
    .insertInto(kind.table)
    .values({ ...columns, ...fields })
    .execute()
  return id
}

/** Changes columns of a live group. */
export const updateGroup = (
  trx: Trx,
  tenant: Tenant,
  kind: GroupKind,
  id: string,
  set: { [column: string]: string | number | Date | null },
) =>
  trx
    .updateTable(kind.table)
    .set(set)
    .where('workspace_id', '=', tenant.workspaceId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()

/** Adds a member to a group, or changes their role there. */
export const putIntoGroup = (
  trx: Trx,
  tenant: Tenant,
  kind: GroupKind,
  id: string,
  memberId: string,
  role: GroupKind['headRole'] | 'member',
) =>
  trx
    .insertInto(kind.memberTable)
    .values({
      [kind.idColumn]: id,
      member_id: memberId,
      workspace_id: tenant.workspaceId,
      role,
      joined_at: sql<Date>`current_timestamp(3)`,
    })
    .onDuplicateKeyUpdate({ role })
    .execute()

/** Makes the head of a group an ordinary member. */
export const demoteHead = (trx: Trx, tenant: Tenant, kind: GroupKind, id: string) =>
  trx
    .updateTable(kind.memberTable)
    .set({ role: 'member' })
    .where('workspace_id', '=', tenant.workspaceId)
    .where(trx.dynamic.ref(kind.idColumn), '=', id)
    .where('role', '=', kind.headRole)
    .execute()

/** One membership of a group. */
export const findGroupMember = (db: Db, tenant: Tenant, kind: GroupKind, id: string, memberId: string) =>
  db
    .selectFrom(kind.memberTable)
    .select(['role', 'joined_at'])
    .where('workspace_id', '=', tenant.workspaceId)
    .where(db.dynamic.ref(kind.idColumn), '=', id)
    .where('member_id', '=', memberId)
    .executeTakeFirst()

/** Removes one member, or all, from a group. */
export function removeFromGroup(trx: Trx, tenant: Tenant, kind: GroupKind, id: string, memberId?: string) {
  const query = trx
    .deleteFrom(kind.memberTable)
    .where('workspace_id', '=', tenant.workspaceId)
    .where(trx.dynamic.ref(kind.idColumn), '=', id)
  return (memberId ? query.where('member_id', '=', memberId) : query).execute()
}

/** Members of the workspace who are in a group, by last name. */
export const listGroupMembers = (db: Db, tenant: Tenant, kind: GroupKind, id: string) =>
  db
    .selectFrom(db.dynamic.table(kind.memberTable).as('gm'))
    .innerJoin('workspace_members as wm', 'wm.member_id', 'gm.member_id')
    .innerJoin('members as m', 'm.id', 'gm.member_id')
    .select(['m.id', 'm.first_name', 'm.last_name', 'm.email', 'm.photo_url', 'gm.role'])
    .select(['wm.is_veiled', 'wm.sort_first', 'wm.sort_last', 'wm.typed_email'])
    .where('gm.workspace_id', '=', tenant.workspaceId)
    .where(db.dynamic.ref(`gm.${kind.idColumn}`), '=', id)
    .where('wm.workspace_id', '=', tenant.workspaceId)
    .where('wm.left_at', 'is', null)
    .where('m.deleted_at', 'is', null)
    .orderBy('wm.sort_last')
    .orderBy('wm.sort_first')
    .orderBy('m.id')
    .execute()

/** Groups of these members in these workspaces, by name. */
export const groupsOf = (db: Db, kind: GroupKind, memberIds: string[], workspaceIds: string[]) =>
  db
    .selectFrom([db.dynamic.table(kind.memberTable).as('gm'), db.dynamic.table(kind.table).as('g')])
    .whereRef('g.id', '=', db.dynamic.ref(`gm.${kind.idColumn}`))
    .select(['gm.member_id', 'g.id', 'g.name', 'gm.role'])
    .where('gm.member_id', 'in', memberIds)
    .where('gm.workspace_id', 'in', workspaceIds)
    .where('g.workspace_id', 'in', workspaceIds)
    .where('g.deleted_at', 'is', null)
    .orderBy('g.name')
    .orderBy('g.id')
    .execute()
