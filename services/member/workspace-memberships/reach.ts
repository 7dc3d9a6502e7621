import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { openAnotherWorkspace, openTenantsOf, settleRecord, tenantOfRecord } from '../../kernel/access/access.ts'
import { type Tenant, tenantOfMember } from '../../kernel/access/tenant.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { findById } from '../people/sql.ts'
import type { Db, MembersTable } from '../tables.ts'
import { type LiveMembership, liveMemberships } from './live.sql.ts'
import { type MemberView, selectHotel, type Viewer, viewerOf, viewMember } from './view.ts'

/** A member, as far as the caller may act on them and see them. */
export type Reach = {
  viewer: Viewer
  /** The full record and all current memberships: for decisions, never for responses. */
  member: Selectable<MembersTable>
  memberships: LiveMembership[]
  isSelf: boolean
  isPlatform: boolean
  /** The member's workspaces in which the caller holds the permission. */
  tenants: Tenant[]
  /** The member as the caller sees them: for responses. */
  view: MemberView
  /** Workspaces that may appear in a response; undefined means all. */
  visibleWorkspaceIds: string[] | undefined
}

/**
 * Finds a member for a SCOPE_RECORD call. Callers reach themselves, platform administrators reach everyone, and others
 * reach members with whom they share a workspace in which they hold the permission. 404 without a shared workspace, 403
 * without the permission.
 */
export async function reachMember(db: Db, context: HandlerContext, id: string, permission: string): Promise<Reach> {
  const member = await findById(db, id)
  if (!member) throw new NotFoundError('Member not found')
  const memberships = await liveMemberships(db, [id])
  const viewer = viewerOf(context)
  const { isPlatform } = viewer
  const isSelf = viewer.memberId === id
  const sharedWorkspaces = openTenantsOf(context).workspaces.filter(workspace =>
    memberships.some(one => one.workspace_id === workspace.workspaceId),
  )
  const openWorkspaces = sharedWorkspaces.filter(workspace => workspace.permissions.includes(permission))
  if (isPlatform || isSelf) settleRecord(context, 'own record, or platform administrator')
  else await tenantOfRecord(context, (openWorkspaces[0] ?? sharedWorkspaces[0])?.workspaceId, 'Member')
  const view = viewMember(viewer, member, memberships, permission)
  const tenants = isPlatform
    ? await Promise.all(view.memberships.map(one => openAnotherWorkspace(context, one.workspace_id)))
    : openWorkspaces.map(tenantOfMember)
  const visibleWorkspaceIds = isPlatform ? undefined : view.memberships.map(one => one.workspace_id)
  return { viewer, member, memberships, isSelf, isPlatform, tenants, view, visibleWorkspaceIds }
}

/** The visible part of the hierarchy: the hotel of the call, and the workspaces that may appear. */
export const visibleHierarchy = ({ view, isPlatform }: Reach) => ({
  ecosystemId: view.hotelId ?? '',
  workspaceIds: isPlatform
    ? undefined
    : view.memberships.filter(one => one.ecosystem_id === view.hotelId).map(one => one.workspace_id),
})

/** Hotels whose values the caller sets: the one that the call is about; for platform administrators all. */
export function settableHotels({ viewer, isPlatform, memberships, tenants }: Reach): string[] {
  if (isPlatform) return [...new Set(tenants.map(one => one.ecosystemId))]
  const openWorkspaceIds = new Set(tenants.map(one => one.workspaceId))
  const selectedHotel = selectHotel(
    viewer,
    memberships.filter(one => openWorkspaceIds.has(one.workspace_id)),
  )
  return selectedHotel ? [selectedHotel.ecosystem_id] : []
}
