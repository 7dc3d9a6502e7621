import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import { openAnotherWorkspace, openTenantsOf, settleRecord, tenantOfRecord } from '../../kernel/access/access.ts'
import { type Tenant, tenantOfMember } from '../../kernel/access/tenant.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { findById } from '../people/sql.ts'
import type { Db, Members } from '../tables.ts'
import { type LiveMembership, liveMemberships } from './live.sql.ts'
import { askedAbout, type Seen, seenBy, type Viewer, viewerOf } from './seen.ts'

/** A member, as far as the caller may act on them and see them. */
export type Reach = {
  viewer: Viewer
  /** The full record and all current memberships: for decisions, never for responses. */
  member: Selectable<Members>
  memberships: LiveMembership[]
  isSelf: boolean
  isPlatform: boolean
  /** The member's workspaces in which the caller holds the permission. */
  tenants: Tenant[]
  /** The member as the caller sees them: for responses. */
  seen: Seen
  /** Workspaces that may appear in a response; undefined means all. */
  visible: string[] | undefined
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
  const shared = openTenantsOf(context).workspaces.filter(own =>
    memberships.some(one => one.workspace_id === own.workspaceId),
  )
  const open = shared.filter(own => own.permissions.includes(permission))
  if (isPlatform || isSelf) settleRecord(context, 'own record, or platform administrator')
  else await tenantOfRecord(context, (open[0] ?? shared[0])?.workspaceId, 'Member')
  const tenants = isPlatform
    ? await Promise.all(memberships.map(one => openAnotherWorkspace(context, one.workspace_id)))
    : open.map(tenantOfMember)
  const seen = seenBy(viewer, member, memberships, permission)
  const visible = isPlatform ? undefined : seen.memberships.map(one => one.workspace_id)
  return { viewer, member, memberships, isSelf, isPlatform, tenants, seen, visible }
}

/** The visible part of the hierarchy: the hotel of the call, and the workspaces that may appear. */
export const hierarchyOf = ({ seen, isPlatform }: Reach) => ({
  ecosystemId: seen.hotelId ?? '',
  workspaceIds: isPlatform
    ? undefined
    : seen.memberships.filter(one => one.ecosystem_id === seen.hotelId).map(one => one.workspace_id),
})

/** Hotels whose values the caller sets: the one that the call is about; for platform administrators all. */
export function hotelsToSet({ viewer, isPlatform, memberships, tenants }: Reach): string[] {
  if (isPlatform) return [...new Set(memberships.map(one => one.ecosystem_id))]
  const open = new Set(tenants.map(one => one.workspaceId))
  const asked = askedAbout(
    viewer,
    memberships.filter(one => open.has(one.workspace_id)),
  )
  return asked ? [asked.ecosystem_id] : []
}
