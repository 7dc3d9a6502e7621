import { ForbiddenError } from '../base/errors.ts'

declare const tenantBrand: unique symbol
declare const ecosystemBrand: unique symbol

/**
 * A workspace that the access check has opened for the running call. Statements on tenant data take one as their first
 * parameter; there is no other way to get one.
 */
export type Tenant = {
  readonly workspaceId: string
  readonly workspaceName: string
  readonly ecosystemId: string
  /** Role slug of the caller; empty for services and platform administrators. */
  readonly role: string
  readonly isAdmin: boolean
  /** Effective permission slugs; undefined means all of them. */
  readonly permissions: ReadonlySet<string> | undefined
  readonly [tenantBrand]: true
}

/** An ecosystem (hotel) that the access check has opened for the running call. */
export type Ecosystem = {
  readonly ecosystemId: string
  readonly role: string
  readonly permissions: ReadonlySet<string> | undefined
  readonly [ecosystemBrand]: true
}

/** Only access.ts may call this, so that every Tenant is a checked one. */
export const brandTenant = (fields: Omit<Tenant, typeof tenantBrand>): Tenant => fields as Tenant

/** Only access.ts may call this. */
export const brandEcosystem = (fields: Omit<Ecosystem, typeof ecosystemBrand>): Ecosystem => fields as Ecosystem

/** The tenant of background work (consumers and jobs). `reason` names the work. */
export function systemTenant(workspaceId: string, ecosystemId: string, reason: string): Tenant {
  if (!reason) throw new Error('a tenant without a caller needs a reason')
  return brandTenant({
    workspaceId,
    ecosystemId,
    workspaceName: '',
    role: '',
    isAdmin: false,
    permissions: undefined,
  })
}

/** True when the caller holds the permission in the tenant. */
export const hasPermission = (tenant: Tenant | Ecosystem, slug: string): boolean =>
  tenant.permissions === undefined || tenant.permissions.has(slug)

/** Refuses a caller without a permission. ForbiddenError, which names it. */
export function requirePermission(tenant: Tenant | Ecosystem, permission: string): void {
  if (!hasPermission(tenant, permission)) throw new ForbiddenError(undefined, { permission })
}

/** The tenant of a membership that the member service has just computed. */
export function tenantOfMember(workspace: {
  workspaceId: string
  workspaceName: string
  ecosystemId: string
  role: string
  isAdmin: boolean
  permissions: string[]
}): Tenant {
  return brandTenant({ ...workspace, permissions: new Set(workspace.permissions) })
}
