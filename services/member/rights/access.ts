import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { AccessService } from '../../../gen/platform/access/v1/access_pb.ts'
import { invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { fullName } from '../../kernel/base/text.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { isActiveSomewhere } from '../hotel-memberships/sql.ts'
import type { MemberTables } from '../tables.ts'
import {
  administeredWorkspaces,
  findWorkspaceTenant,
  type HotelRights,
  memberWithMemberships,
  memberWithRights,
  permissionsOfRoles,
  recordActivity,
  workspacesOfEcosystem,
} from './access.sql.ts'
import { existingPermissionSlugs } from './grants.sql.ts'
import { requireOpenEcosystem } from './grants.ts'
import { effectivePermissions, isAdministrator, slugsWhileInactive } from './rules.ts'

/** Effective rights, computed from the database on every call; callers cache them for less than a second. */
export const accessService = ({ db }: Context): Rpc => {
  /** Recently noted members: last_seen is written once in five minutes, in the background. */
  const recentlyActive = new LRUCache<string, true>({ max: 10_000, ttl: 300_000 })
  const noteActivity = (memberId: string): void => {
    if (recentlyActive.has(memberId)) return
    recentlyActive.set(memberId, true)
    recordActivity(db, memberId).catch(() => recentlyActive.delete(memberId))
  }

  return implement(AccessService, {
    async getAccess({ userId, memberId, ecosystemId }) {
      if (!userId && !memberId) throw invalid('userId', 'or memberId is required', 'required')
      const by = userId ? { userId } : { memberId }
      const rows = await memberWithRights(db, by)
      const [member] = rows
      const hotels = JSON.parse(rows.find(row => row.hotels !== null)?.hotels ?? '[]') as HotelRights[]
      if (!member || !isActiveSomewhere(member, hotels)) throw new NotFoundError('Member not found')
      if (userId) noteActivity(member.id)
      const isSuperAdmin = member.is_super_admin === 1
      const administeredRows = isSuperAdmin && ecosystemId ? await administeredWorkspaces(db, ecosystemId) : undefined
      return {
        memberId: member.id,
        userId: member.user_id ?? '',
        email: member.email,
        name: fullName(member.first_name, member.last_name),
        isSuperAdmin,
        isInvisible: member.is_invisible === 1,
        isSuspended: hotels.some(one => one.is_active === 1 && !one.is_in),
        workspaces: (administeredRows ?? rows).toSorted(oldestFirst).flatMap(toWorkspace),
        ecosystems: administeredRows
          ? administeredRows.slice(0, 1).map(one => ({ ecosystemId: one.ecosystem_id, role: 'admin' }))
          : hotels
              .filter(one => one.is_active === 1 && one.is_in && Number(one.is_closed) === 0)
              .toSorted(oldestHotelFirst)
              .map(one => ({
                ecosystemId: one.ecosystem_id,
                role: one.role,
                isOwner: one.is_owner === 1,
                permissions: one.permissions,
              })),
      }
    },

    async getWorkspaceTenant({ workspaceId }) {
      const workspace = await findWorkspaceTenant(db, workspaceId)
      if (!workspace) throw new NotFoundError('Workspace not found')
      return { workspaceId, workspaceName: workspace.name, ecosystemId: workspace.ecosystem_id }
    },

    async checkGrant({ ecosystemId, permissions }) {
      const [hotel, ...knownSlugs] = await Promise.all([
        workspacesOfEcosystem(db, ecosystemId),
        existingPermissionSlugs(db, permissions, 'workspace'),
        existingPermissionSlugs(db, permissions, 'ecosystem'),
      ])
      requireOpenEcosystem(hotel)
      return { unknown: permissions.filter(slug => !knownSlugs.some(slugs => slugs.has(slug))) }
    },
  })
}

const oldestHotelFirst = (a: HotelRights, b: HotelRights): number =>
  `${a.created_at} ${a.ecosystem_id}` < `${b.created_at} ${b.ecosystem_id}` ? -1 : 1

type Row = Awaited<ReturnType<typeof memberWithMemberships | typeof administeredWorkspaces>>[number]

/** Inactive workspaces come last, so that a member with another workspace works there. */
const oldestFirst = (a: Row, b: Row): number =>
  Number(b.workspace_active) - Number(a.workspace_active) ||
  Number(a.joined_at) - Number(b.joined_at) ||
  ((a.workspace_id ?? '') < (b.workspace_id ?? '') ? -1 : 1)

/**
 * A membership with its effective rights; empty without a workspace, and in an inactive one unless the member
 * administers it.
 */
function toWorkspace(row: Row) {
  if (row.workspace_id === null) return []
  const { name, ecosystem_id, workspace_role, is_admin } = row
  const permissions = effectivePermissions(parseSlugs(row.role_slugs), parseSlugs(row.permission_slugs))
  const isAtRest = row.workspace_active === 0
  if (isAtRest && !isAdministrator({ workspace_role: workspace_role ?? '', is_admin: is_admin ?? 0 })) return []
  return [
    {
      workspaceId: row.workspace_id,
      workspaceName: name ?? '',
      ecosystemId: ecosystem_id ?? '',
      role: workspace_role ?? '',
      isAdmin: is_admin === 1,
      permissions: isAtRest ? permissions.filter(slug => slugsWhileInactive.has(slug)) : permissions,
      isAtRest,
    },
  ]
}

/** What a member may do now, read in the running transaction instead of from a cache. */
export async function loadWorkspaces(db: Kysely<MemberTables>, by: { memberId: string }) {
  const rows = await memberWithMemberships(db, by)
  return { isSuperAdmin: rows[0]?.is_super_admin === 1, workspaces: rows.flatMap(toWorkspace) }
}

const parseSlugs = (json: string | null): string[] => JSON.parse(json ?? '[]') as string[]

/** Permission slugs by role id. */
export async function slugsByRoleId(db: Kysely<MemberTables>, roleIds: string[]): Promise<Map<string, string[]>> {
  const slugsById = new Map<string, string[]>()
  if (roleIds.length === 0) return slugsById
  for (const { role_id, slug } of await permissionsOfRoles(db, roleIds))
    slugsById.set(role_id, [...(slugsById.get(role_id) ?? []), slug])
  return slugsById
}
