import type { Tenant } from '../../kernel/access/tenant.ts'

/** Effective permissions: those of the role united with those granted directly, each once (document 2, "Authentication" 6). */
export const effectivePermissions = (ofRole: string[], direct: string[]): string[] => [
  ...new Set([...ofRole, ...direct]),
]

/** What its administrators may in a workspace at rest: look at it, and wake it. Everybody else waits outside. */
export const restingSlugs: ReadonlySet<string> = new Set([
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

type Held = { workspace_role: string; is_admin: number; permissions: string[] }

/** What of a membership's permissions its workspace leaves: nothing where the hotel is deleted, and little at rest. */
export function leftIn(workspace: { is_active: number; closed_at: Date | null }, membership: Held): string[] {
  if (workspace.closed_at !== null) return []
  if (workspace.is_active === 1) return membership.permissions
  return isAdministrator(membership) ? membership.permissions.filter(slug => restingSlugs.has(slug)) : []
}

/** Whether the caller is an administrator of the workspace. */
export const administers = (tenant: Tenant): boolean => tenant.isAdmin || tenant.role === 'admin'
