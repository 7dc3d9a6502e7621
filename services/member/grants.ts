import { ForbiddenError, invalid, ValidationError } from '../kernel/errors.ts'
import { holds, type Tenant } from '../kernel/tenant.ts'
import { findRole, knownSlugs } from './grants.sql.ts'
import type { Db } from './rows.ts'

/**
 * Checks what somebody wants to grant: the role and the slugs must exist (400), and the giver
 * must hold all of it (403), because nobody hands on what they do not have.
 */
export async function checkGrant(db: Db, tenant: Tenant, role: string, slugs: string[], field = 'permissions') {
  const found = await findRole(db, tenant, role)
  if (!found) throw invalid('workspaceRole', `is not a role of the workspace: ${role}`, 'unknown_role')
  const known = await knownSlugs(db, slugs)
  const unknown = slugs.flatMap((slug, index) =>
    known.has(slug)
      ? []
      : [{ path: `${field}[${index}]`, message: `is not a permission: ${slug}`, rule: 'unknown_slug' }],
  )
  if (unknown.length > 0) throw new ValidationError(unknown)
  if (![...found.slugs, ...slugs].every(slug => holds(tenant, slug))) throw new ForbiddenError('Permission denied')
  return found
}
