import { type Ecosystem, holds, type Tenant } from '../../kernel/access/tenant.ts'
import { ForbiddenError, invalid, ValidationError, type Violation } from '../../kernel/base/errors.ts'
import type { Db } from '../rows.ts'
import { defaultSystemRole, permissionCatalogue } from './catalogue.ts'
import { findRole, knownSlugs } from './grants.sql.ts'
import { administers } from './rules.ts'

/**
 * Checks what somebody wants to grant: the role and the slugs must exist (400), and the giver
 * must hold all of it (403). Only the role `member` is given without holding what it grants.
 */
export async function checkGrant(db: Db, tenant: Tenant, role: string, slugs: string[]) {
  const found = await existingRole(db, tenant, role)
  await checkSlugs(db, tenant, slugs)
  holdRole(tenant, found)
  return found
}

/**
 * The role of that slug: 400 when there is none, 403 when it grants more than the giver has.
 * @param own whether somebody takes it for themselves: then they must hold all of it, `member` too
 */
export async function checkRole(db: Db, tenant: Tenant, role: string, own = false) {
  const found = await existingRole(db, tenant, role)
  if (own) holdAll(tenant, found.slugs)
  holdRole(tenant, found)
  return found
}

/** Nobody takes away what they could not give. A role or a slug that is gone gives nothing. */
export async function checkTaking(db: Db, tenant: Tenant, role: string, slugs: string[]): Promise<void> {
  const [found, known] = await Promise.all([findRole(db, tenant, role), knownSlugs(db, slugs, 'workspace')])
  if (found) holdRole(tenant, found)
  holdAll(tenant, [...known])
}

/** Whether a check lets somebody; what fails for another reason than a want of rights fails. */
export const lets = (check: Promise<unknown>): Promise<boolean> =>
  check.then(
    () => true,
    error => {
      if (error instanceof ForbiddenError) return false
      throw error
    },
  )

async function existingRole(db: Db, tenant: Tenant, role: string) {
  const found = await findRole(db, tenant, role)
  if (!found) throw invalid('workspaceRole', `is not a role of the workspace: ${role}`, 'unknown_role')
  return found
}

/** Who makes an administrator must be one, whatever slugs they hold. Who adds people may make any of them a member. */
function holdRole(tenant: Tenant, role: { slug: string; slugs: string[] }): void {
  if (role.slug === defaultSystemRole) return
  holdAll(tenant, role.slugs)
  if (role.slug === 'admin' && !administers(tenant)) throw new ForbiddenError('Permission denied')
}

/** Where slugs stand in most requests. */
const listed = (index: number): string => `permissions[${index}]`

/** Checks slugs to grant; those that the receiver has already need not be held by the giver. */
export async function checkSlugs(
  db: Db,
  tenant: Tenant | Ecosystem,
  slugs: string[],
  pathOf = listed,
  present: string[] = [],
  level: 'workspace' | 'ecosystem' = 'workspace',
): Promise<void> {
  const known = await knownSlugs(db, slugs, level)
  const unknown = unknownSlugs(slugs, slug => known.has(slug), pathOf)
  if (unknown.length > 0) throw new ValidationError(unknown)
  holdAll(
    tenant,
    slugs.filter(slug => !present.includes(slug)),
  )
}

/** What is wrong with slugs that nobody knows. */
export const unknownSlugs = (slugs: string[], isKnown: (slug: string) => boolean, pathOf = listed): Violation[] =>
  slugs.flatMap((slug, index) =>
    isKnown(slug) ? [] : [{ path: pathOf(index), message: `is not a permission: ${slug}`, rule: 'unknown_slug' }],
  )

/** What is wrong with an ecosystem that has no workspace. */
export const unknownEcosystem: Violation = {
  path: 'ecosystemId',
  message: 'is not an ecosystem of the platform',
  rule: 'unknown_ecosystem',
}

/** No system role holds what was added to the catalogue: who administers a workspace gives it there. */
const isCustom = (slug: string): boolean => permissionCatalogue.every(one => one.slug !== slug)

function holdAll(tenant: Tenant | Ecosystem, slugs: string[]): void {
  const gives = (slug: string) => holds(tenant, slug) || ('isAdmin' in tenant && administers(tenant) && isCustom(slug))
  if (!slugs.every(gives)) throw new ForbiddenError('Permission denied')
}
