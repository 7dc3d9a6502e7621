import { type Ecosystem, hasPermission, type Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, ForbiddenError, invalid, ValidationError, type Violation } from '../../kernel/base/errors.ts'
import type { Db } from '../tables.ts'
import { defaultSystemRole, permissionCatalogue } from './catalogue.ts'
import { existingPermissionSlugs, findRole } from './grants.sql.ts'
import { administers } from './rules.ts'

/**
 * Checks a grant: role and slugs must exist (400), and the caller must hold all of them (403). Only the role `member`
 * may be granted without holding its permissions.
 */
export async function checkGrant(db: Db, tenant: Tenant, role: string, slugs: string[]) {
  const grantedRole = await requireRole(db, tenant, role)
  await checkSlugs(db, tenant, slugs)
  requireRolePermissions(tenant, grantedRole)
  return grantedRole
}

/**
 * Finds a role: 400 for an unknown one, 403 when it grants more than the caller has.
 * @param isForSelf whether callers take the role themselves: they must then hold all its permissions, even for `member`
 */
export async function checkRole(db: Db, tenant: Tenant, role: string, isForSelf = false) {
  const grantedRole = await requireRole(db, tenant, role)
  if (isForSelf) requirePermissions(tenant, grantedRole.permissionSlugs)
  requireRolePermissions(tenant, grantedRole)
  return grantedRole
}

/** Checks a revocation: callers revoke only what they could grant. A deleted role or permission grants nothing. */
export async function checkRevocation(db: Db, tenant: Tenant, role: string, slugs: string[]): Promise<void> {
  const [grantedRole, existingSlugs] = await Promise.all([
    findRole(db, tenant, role),
    existingPermissionSlugs(db, slugs, 'workspace'),
  ])
  if (grantedRole) requireRolePermissions(tenant, grantedRole)
  requirePermissions(tenant, [...existingSlugs])
}

/** Whether a check passes; errors other than a refusal are rethrown. */
export const isAllowed = (check: Promise<unknown>): Promise<boolean> =>
  check.then(
    () => true,
    error => {
      if (error instanceof ForbiddenError) return false
      throw error
    },
  )

async function requireRole(db: Db, tenant: Tenant, role: string) {
  if (!role) throw invalid('workspaceRole', 'is required', 'required')
  const grantedRole = await findRole(db, tenant, role)
  if (!grantedRole) throw invalid('workspaceRole', `is not a role of the workspace: ${role}`, 'unknown_role')
  return grantedRole
}

/**
 * Only administrators appoint administrators, whatever slugs the caller holds. A caller who adds members may always
 * give the role `member`.
 */
function requireRolePermissions(tenant: Tenant, role: { slug: string; permissionSlugs: string[] }): void {
  if (role.slug === defaultSystemRole) return
  requirePermissions(tenant, role.permissionSlugs)
  if (role.slug === 'admin' && !administers(tenant)) throw new ForbiddenError('Permission denied')
}

/** Path of a slug in most requests. */
const slugPath = (index: number): string => `permissions[${index}]`

/** Checks slugs to grant. The caller needn't hold those that the receiver already has. */
export async function checkSlugs(
  db: Db,
  tenant: Tenant | Ecosystem,
  slugs: string[],
  pathOf = slugPath,
  heldSlugs: string[] = [],
  level: 'workspace' | 'ecosystem' = 'workspace',
): Promise<void> {
  const existingSlugs = await existingPermissionSlugs(db, slugs, level)
  const violations = unknownSlugs(slugs, slug => existingSlugs.has(slug), pathOf)
  if (violations.length > 0) throw new ValidationError(violations)
  requirePermissions(
    tenant,
    slugs.filter(slug => !heldSlugs.includes(slug)),
  )
}

/** Violations for unknown slugs. */
const unknownSlugs = (slugs: string[], isKnown: (slug: string) => boolean, pathOf = slugPath): Violation[] =>
  slugs.flatMap((slug, index) =>
    isKnown(slug) ? [] : [{ path: pathOf(index), message: `is not a permission: ${slug}`, rule: 'unknown_slug' }],
  )

/**
 * Refuses an ecosystem without a workspace as unknown, since each starts with its hotel's, and that of a closed hotel.
 * ValidationError, ConflictError.
 */
export function requireOpenEcosystem(workspaces: { closed_at: Date | null }[]): void {
  if (workspaces.length === 0) throw invalid('ecosystemId', 'is not an ecosystem of the platform', 'unknown_ecosystem')
  if (workspaces.every(one => one.closed_at !== null)) throw new ConflictError('The hotel of the ecosystem is closed')
}

/** System roles hold no custom permissions; administrators of a workspace may grant them there. */
const isCustom = (slug: string): boolean => permissionCatalogue.every(one => one.slug !== slug)

function requirePermissions(tenant: Tenant | Ecosystem, slugs: string[]): void {
  const canGrant = (slug: string) =>
    hasPermission(tenant, slug) || ('isAdmin' in tenant && administers(tenant) && isCustom(slug))
  if (!slugs.every(canGrant)) throw new ForbiddenError('Permission denied')
}
