import type { Tenant } from '../../kernel/access/tenant.ts'

/** Effective permissions: the union of those of the role and those granted directly. */
export const effectivePermissions = (roleSlugs: string[], directSlugs: string[]): string[] => [
  ...new Set([...roleSlugs, ...directSlugs]),
]

/** Permissions that administrators keep in an inactive workspace, to read and reactivate it. Others have no access. */
export const slugsWhileInactive: ReadonlySet<string> = new Set([
  'view_members',
  'view_settings',
  'manage_settings',
  'view_reports',
  'view_analytics',
  'export_data',
])

/** Whether a membership makes an administrator: by flag or by role. */
export const isAdministrator = (membership: { workspace_role: string; is_admin: number }): boolean =>
  membership.is_admin === 1 || membership.workspace_role === 'admin'

type HeldPermissions = { workspace_role: string; is_admin: number; permissions: string[] }

/** Permissions that the workspace leaves to a membership: none while the hotel is closed, few while it is inactive. */
export function permissionsIn(
  workspace: { is_active: number; closed_at: Date | null },
  membership: HeldPermissions,
): string[] {
  if (workspace.closed_at !== null) return []
  if (workspace.is_active === 1) return membership.permissions
  return isAdministrator(membership) ? membership.permissions.filter(slug => slugsWhileInactive.has(slug)) : []
}

/** Whether the caller is an administrator of the workspace. */
export const administers = (tenant: Tenant): boolean => tenant.isAdmin || tenant.role === 'admin'
