import type { EventActor } from '../../kernel/bus/events.ts'
import type { AuditEntriesTable } from '../tables.ts'

export type AuditEntity = AuditEntriesTable['entity']

/** Fields under their API names. Tokens, links and keys must never be recorded. */
export type AuditValues = Readonly<Record<string, unknown>>

/** One recorded change: without `before` for a creation, without `after` for a removal. */
export type AuditChange = {
  actor: EventActor
  /** Begins with the kind of entity. */
  action: `${AuditEntity}.${string}`
  /** The member by default. */
  entityId?: string
  memberId?: string | undefined
  before?: AuditValues | undefined
  after?: AuditValues | undefined
}

type Person = {
  first_name: string
  last_name: string
  email: string
  phone: string | null
  photo_url: string | null
  is_active: number
  is_super_admin: number
}

type InHotel = { superior_id: string | null; dashboard_access: number; is_active: number }
const defaultValues: InHotel = { superior_id: null, dashboard_access: 0, is_active: 1 }

/** Recorded fields of a member, with the values of the hotel in whose log the entry stands. */
export const memberValues = (row: Person, hotel: InHotel = defaultValues): AuditValues => ({
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  phone: row.phone,
  photoUrl: row.photo_url,
  superior: hotel.superior_id,
  dashboardAccess: hotel.dashboard_access === 1,
  isActive: row.is_active === 1 && hotel.is_active === 1,
  isSuperAdmin: row.is_super_admin === 1,
})

/** Fields that identify a person; erasure removes them from the log. */
export const personalValues = ['firstName', 'lastName', 'email', 'phone', 'photoUrl']

/** Recorded fields of a membership. */
export const membershipValues = (row: {
  workspace_role: string
  permission_slugs: string
  is_admin: number
  status: string
}): AuditValues => ({
  workspaceRole: row.workspace_role,
  permissionSlugs: JSON.parse(row.permission_slugs) as string[],
  isAdmin: row.is_admin === 1,
  status: row.status,
})

/** Recorded fields of an invitation. */
export const invitationValues = (row: { email: string; workspace_role: string; permissions: string }): AuditValues => ({
  email: row.email,
  workspaceRole: row.workspace_role,
  permissions: JSON.parse(row.permissions) as string[],
})

/** The audit entry of a cancelled invitation. */
export const invitationCancelled = (actor: EventActor, entityId: string): AuditChange => ({
  actor,
  action: 'invitation.cancelled',
  entityId,
  before: { status: 'pending' },
  after: { status: 'cancelled' },
})

/** Recorded fields of a role. */
export const roleValues = (
  row: { name: string; slug: string; description: string | null; is_default: number },
  permissions: string[],
): AuditValues => ({
  name: row.name,
  slug: row.slug,
  description: row.description,
  isDefault: row.is_default === 1,
  permissions: permissions.toSorted(),
})

/** Recorded fields of a workspace. Its settings are free-form and may be confidential, so they are left out. */
export const workspaceValues = (row: {
  name: string
  description: string | null
  logo_url: string | null
  is_active: number
}): AuditValues => ({
  name: row.name,
  description: row.description,
  logoUrl: row.logo_url,
  isActive: row.is_active === 1,
})

type Group = { name: string; description: string | null; is_active: number }

/** Recorded fields of a team. */
export const teamValues = (
  row: Group & { color: string | null; icon: string | null; leader_id: string | null },
): AuditValues => ({
  name: row.name,
  description: row.description,
  color: row.color,
  icon: row.icon,
  leaderId: row.leader_id,
  isActive: row.is_active === 1,
})

/** Recorded fields of a department. */
export const departmentValues = (
  row: Group & { code: string | null; parent_id: string | null; manager_id: string | null },
): AuditValues => ({
  name: row.name,
  description: row.description,
  code: row.code,
  parentId: row.parent_id,
  managerId: row.manager_id,
  isActive: row.is_active === 1,
})
