import type { HandlerContext } from '@connectrpc/connect'
import type { Selectable } from 'kysely'
import {
  isPlatformCaller,
  maybePerson,
  openFurther,
  openTenantsOf,
  settleRecord,
  tenantOfRecord,
} from '../kernel/access.ts'
import { NotFoundError } from '../kernel/errors.ts'
import { type Tenant, tenantOfMember } from '../kernel/tenant.ts'
import { findById } from './members.sql.ts'
import { type LiveMembership, liveMemberships } from './memberships.live.sql.ts'
import type { Db } from './rows.ts'
import type { Members } from './tables.ts'

/** A member as far as the caller reaches. */
export type Reach = {
  member: Selectable<Members>
  /** All memberships that have not ended, beyond the caller's tenants too: for decisions, not for answers. */
  memberships: LiveMembership[]
  isSelf: boolean
  isPlatform: boolean
  /** Workspaces of the member in which the caller holds the permission. */
  tenants: Tenant[]
  /** Workspaces that may appear in an answer; undefined means all. */
  visible: string[] | undefined
}

/**
 * Finds a member for a SCOPE_RECORD call. People reach themselves, platform administrators
 * everybody, others those with whom they share a workspace in which they hold the permission:
 * 404 without a shared one, 403 without the permission.
 */
export async function reachMember(db: Db, context: HandlerContext, id: string, permission: string): Promise<Reach> {
  const member = await findById(db, id)
  if (!member) throw new NotFoundError('Member not found')
  const memberships = await liveMemberships(db, [id])
  const isPlatform = isPlatformCaller(context)
  const isSelf = maybePerson(context)?.memberId === id
  const shared = openTenantsOf(context).workspaces.filter(own =>
    memberships.some(one => one.workspace_id === own.workspaceId),
  )
  const open = shared.filter(own => own.permissions.includes(permission))
  if (isPlatform || isSelf) settleRecord(context, 'people reach themselves, platform administrators everybody')
  else await tenantOfRecord(context, (open[0] ?? shared[0])?.workspaceId, 'Member')
  const tenants = isPlatform
    ? await Promise.all(memberships.map(one => openFurther(context, one.workspace_id)))
    : open.map(tenantOfMember)
  const visible = isPlatform
    ? undefined
    : isSelf
      ? memberships.map(one => one.workspace_id)
      : tenants.map(one => one.workspaceId)
  return { member, memberships, isSelf, isPlatform, tenants, visible }
}
