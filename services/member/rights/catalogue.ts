/** A permission of the platform. */
export type PermissionEntry = {
  slug: string
  name: string
  category: string
  resource: string
  action: 'create' | 'read' | 'update' | 'delete' | 'manage'
  level: 'ecosystem' | 'workspace'
}

const entry = (
  category: string,
  slug: string,
  name: string,
  resource: string,
  action: PermissionEntry['action'],
  level: PermissionEntry['level'] = 'workspace',
): PermissionEntry => ({ slug, name, category, resource, action, level })

/** Every built-in permission. Custom ones exist only in the table. */
export const permissionCatalogue: PermissionEntry[] = [
  entry('members', 'manage_members', 'Manage members', 'member', 'manage'),
  entry('members', 'view_members', 'View members', 'member', 'read'),
  entry('members', 'invite_members', 'Invite members', 'member', 'create'),
  entry('members', 'remove_members', 'Remove members', 'member', 'delete'),
  entry('members', 'manage_roles', 'Manage roles', 'role', 'manage'),
  entry('content', 'create_content', 'Create content', 'page', 'create'),
  entry('content', 'edit_content', 'Edit content', 'page', 'update'),
  entry('content', 'delete_content', 'Delete content', 'page', 'delete'),
  entry('content', 'publish_content', 'Publish content', 'page', 'manage'),
  entry('content', 'moderate_comments', 'Moderate comments', 'comment', 'manage'),
  entry('settings', 'manage_settings', 'Manage settings', 'workspace', 'manage'),
  entry('settings', 'view_settings', 'View settings', 'workspace', 'read'),
  entry('settings', 'manage_integrations', 'Manage integrations', 'integration', 'manage'),
  entry('communication', 'send_notifications', 'Send notifications', 'notification', 'create'),
  entry('communication', 'access_chat', 'Access chat', 'chat', 'read'),
  entry('communication', 'manage_channels', 'Manage channels', 'channel', 'manage'),
  entry('analytics', 'view_reports', 'View reports', 'report', 'read'),
  entry('analytics', 'export_data', 'Export data', 'report', 'create'),
  entry('analytics', 'view_analytics', 'View analytics', 'analytics', 'read'),
  entry('ecosystem', 'access_live_chat', 'Access live chat', 'chat', 'read', 'ecosystem'),
  entry('ecosystem', 'screenshot_permission', 'Take screenshots', 'screen', 'read', 'ecosystem'),
  entry('ecosystem', 'manage_ecosystem', 'Manage the ecosystem', 'ecosystem', 'manage', 'ecosystem'),
]

const workspaceSlugs = permissionCatalogue.filter(one => one.level === 'workspace').map(one => one.slug)
const manager = new Set(['manage_roles', 'manage_settings', 'manage_integrations', 'export_data'])

/** The role of a new member when none is given. */
export const defaultSystemRole = 'member'

/** The fixed roles of every workspace, strongest first. */
export const systemRoles: { slug: string; name: string; permissions: string[] }[] = [
  { slug: 'admin', name: 'Administrator', permissions: workspaceSlugs },
  { slug: 'manager', name: 'Manager', permissions: workspaceSlugs.filter(slug => !manager.has(slug)) },
  { slug: 'member', name: 'Member', permissions: ['view_members', 'access_chat'] },
  { slug: 'viewer', name: 'Viewer', permissions: ['view_members'] },
]

/** Whether a slug equals that of a system role, ignoring case: two roles of one name would be confused. */
export const isReserved = (slug: string): boolean => systemRoles.some(role => role.slug === slug.toLowerCase())
