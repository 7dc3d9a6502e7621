import type { Tenant } from '../../kernel/access/tenant.ts'
import { plainSlug } from '../../kernel/base/texts/slug.ts'
import { department, team } from '../groups/kinds.ts'
import { groupsOf } from '../groups/sql.ts'
import { slugsByRoleId } from '../rights/access.ts'
import { effectivePermissions } from '../rights/rules.ts'
import { rolesOf } from '../roles/roles.sql.ts'
import type { Db } from '../tables.ts'
import { toIdentity } from '../workspace-memberships/view.ts'
import { membersAfter } from './rows.sql.ts'

const chunkRows = 500

export const columns = [
  'id',
  'firstName',
  'lastName',
  'email',
  'phone',
  'workspaceRole',
  'status',
  'permissions',
  'teams',
  'departments',
  'joinedAt',
]

/** File name, such as members-le-phare. */
export const fileName = (tenant: Tenant): string => `members-${plainSlug(tenant.workspaceName) || tenant.workspaceId}`

type Row = Awaited<ReturnType<typeof membersAfter>>[number]

/**
 * The members of a workspace as rows of text, a few hundred in memory at a time. A member who is renamed during the
 * export may appear twice or not at all.
 */
export async function* memberRows(db: Db, tenant: Tenant): AsyncGenerator<string[][]> {
  const slugs = await slugsByRole(db, tenant)
  for (let lastRow: Row | undefined; ; ) {
    const rows = await membersAfter(db, tenant, lastRow, chunkRows)
    if (rows.length > 0) yield await toCells(db, tenant, rows, slugs)
    lastRow = rows.at(-1)
    if (rows.length < chunkRows) return
  }
}

async function slugsByRole(db: Db, tenant: Tenant): Promise<Map<string, string[]>> {
  const roles = await rolesOf(db, tenant).execute()
  const slugsById = await slugsByRoleId(
    db,
    roles.map(role => role.id),
  )
  return new Map(roles.map(role => [role.slug, slugsById.get(role.id) ?? []]))
}

async function toCells(db: Db, tenant: Tenant, rows: Row[], slugs: Map<string, string[]>) {
  const ids = rows.map(row => row.id)
  const [teams, departments] = await Promise.all([
    groupsOf(db, team, ids, [tenant.workspaceId]).then(namesByMember),
    groupsOf(db, department, ids, [tenant.workspaceId]).then(namesByMember),
  ])
  return rows.map(row => {
    const { firstName, lastName, email, phone } = toIdentity(row)
    const directSlugs = JSON.parse(row.permission_slugs) as string[]
    const isEffective = row.status === 'active' && row.member_active === 1
    return [
      row.id,
      firstName,
      lastName,
      email,
      phone ?? '',
      row.workspace_role,
      row.status,
      isEffective ? effectivePermissions(slugs.get(row.workspace_role) ?? [], directSlugs).join(' ') : '',
      (teams.get(row.id) ?? []).join('; '),
      (departments.get(row.id) ?? []).join('; '),
      row.joined_at.toISOString(),
    ]
  })
}

function namesByMember(rows: { member_id: string; name: string }[]): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const { member_id, name } of rows) names.set(member_id, [...(names.get(member_id) ?? []), name])
  return names
}
