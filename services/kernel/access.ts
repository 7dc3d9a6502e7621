import type { Message } from '@bufbuild/protobuf'
import { createContextKey, type ContextValues, type HandlerContext } from '@connectrpc/connect'
import type { WorkspaceAccess } from '../../gen/platform/access/v1/access_pb.ts'
import { type Access, Caller, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { type Actor, actorKey } from './actor.ts'
import { type Credential, lentWorkspace, limitedTo } from './credentials.ts'
import { ForbiddenError, InternalServerError, invalid, NotFoundError } from './errors.ts'
import type { MemberAccess, Rights } from './rights.ts'
import { brandEcosystem, brandTenant, type Ecosystem, type Tenant, tenantOfMember } from './tenant.ts'

/** What the check found out about the running call; handlers read it through the functions below. */
type Grant = {
  rights: Rights
  access: Access
  actor: Actor
  member: MemberAccess | undefined
  /** The credential of a platform administrator, which opens every workspace of its ecosystem. */
  lent: Credential | undefined
  tenant: Tenant | undefined
  ecosystem: Ecosystem | undefined
  /** True while a SCOPE_RECORD handler still owes its check. */
  owed: boolean
}

const grantKey = createContextKey<Grant | undefined>(undefined, { description: 'grant' })

const denied = () => new ForbiddenError('Permission denied')
const workspaceDenied = () => new ForbiddenError('Workspace access denied')

/** Checks the call against the method's access option and leaves the result in the context. */
export async function authorize(
  access: Access,
  message: Message | undefined,
  values: ContextValues,
  rights: Rights,
): Promise<void> {
  const actor = values.get(actorKey)
  const grant: Grant = {
    rights,
    access,
    actor,
    member: undefined,
    lent: undefined,
    tenant: undefined,
    ecosystem: undefined,
    owed: access.scope === Scope.RECORD,
  }
  values.set(grantKey, grant)
  if (access.callers.includes(Caller.PUBLIC)) {
    grant.owed = false
    return
  }
  if (actor.kind === 'service' && !access.callers.includes(Caller.SERVICE)) throw denied()
  if (actor.kind === 'person') await admitUser(grant, actor.claims.userId)
  if (actor.kind === 'credential') await admitCredential(grant, actor.credential)
  const named = message && access.scopeField ? fieldOf(message, access.scopeField) : ''
  if (access.scope === Scope.WORKSPACE) grant.tenant = await openWorkspace(grant, named)
  if (access.scope === Scope.ECOSYSTEM) grant.ecosystem = openEcosystem(grant, named)
}

async function admitUser(grant: Grant, userId: string): Promise<void> {
  const { access, actor, rights } = grant
  if (actor.kind === 'person' && actor.claims.kind === 'administrator') {
    // A legacy Administrator account has no member record; like a super administrator it passes every tenant's check.
    if (access.callers.includes(Caller.PLATFORM_ADMIN) || access.callers.includes(Caller.PERSON)) return
    throw denied()
  }
  grant.member = await rights.ofUser(userId)
  if (access.callers.includes(Caller.PERSON)) {
    if (access.scope !== Scope.IDENTITY && !grant.member) throw workspaceDenied()
    return
  }
  if (!(access.callers.includes(Caller.PLATFORM_ADMIN) && grant.member?.isSuperAdmin)) throw denied()
}

async function admitCredential(grant: Grant, credential: Credential): Promise<void> {
  const { access, rights } = grant
  if (!access.callers.includes(Caller.CREDENTIAL))
    throw access.callers.includes(Caller.PERSON) ? new ForbiddenError('This route is for people') : denied()
  const owner = await rights.ofUser(credential.userId)
  if (!owner) throw workspaceDenied()
  grant.member = limitedTo(credential, owner)
  if (owner.isSuperAdmin) grant.lent = credential
}

/** The caller's access to a workspace, undefined when there is none. */
async function ownWorkspace(
  { member, lent, rights }: Grant,
  workspaceId: string,
): Promise<WorkspaceAccess | undefined> {
  const own = member?.workspaces.find(one => one.workspaceId === workspaceId)
  return own ?? (lent && (await lentWorkspace(lent, workspaceId, rights)))
}

const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** Value of a request field named in snake_case. */
function fieldOf(message: Message, name: string): string {
  const value = (message as Record<string, unknown>)[camelCase(name)]
  return typeof value === 'string' ? value : ''
}

const isPlatform = (grant: Grant): boolean =>
  grant.actor.kind === 'service' ||
  grant.member?.isSuperAdmin === true ||
  (grant.actor.kind === 'person' && grant.actor.claims.kind === 'administrator')

/** Who belongs nowhere must say where: there is no tenant to fall back to. */
const unnamed = ({ scopeField }: Access) =>
  invalid(camelCase(scopeField), 'is required of somebody who belongs to none', 'required')

async function openWorkspace(grant: Grant, named: string): Promise<Tenant> {
  const { member, actor, access } = grant
  const own = member?.workspaces ?? []
  const claimed = actor.kind === 'person' ? actor.claims.workspaceId : null
  const found = named ? await ownWorkspace(grant, named) : (own.find(w => w.workspaceId === claimed) ?? own[0])
  if (isPlatform(grant)) {
    const wanted = named || found?.workspaceId
    if (!wanted) throw unnamed(access)
    const workspace = await grant.rights.workspace(wanted)
    if (!workspace) throw new NotFoundError('Workspace not found')
    const { workspaceId, workspaceName, ecosystemId } = workspace
    return brandTenant({
      workspaceId,
      workspaceName,
      ecosystemId,
      role: '',
      isAdmin: true,
      permissions: undefined,
    })
  }
  if (!found) throw workspaceDenied()
  if (access.permission && !found.permissions.includes(access.permission)) throw denied()
  return tenantOfMember(found)
}

const ecosystemAdministrators = new Set(['owner', 'admin'])

function openEcosystem(grant: Grant, named: string): Ecosystem {
  const { member, access } = grant
  const memberships = member?.ecosystems ?? []
  const ecosystemId = named || (memberships[0]?.ecosystemId ?? member?.workspaces[0]?.ecosystemId ?? '')
  if (isPlatform(grant)) {
    if (!ecosystemId) throw unnamed(access)
    return brandEcosystem({ ecosystemId, role: '', permissions: undefined })
  }
  const own = memberships.find(e => e.ecosystemId === ecosystemId)
  const workspaces = member?.workspaces.filter(w => w.ecosystemId === ecosystemId) ?? []
  if (!own && workspaces.length === 0) throw new ForbiddenError('Ecosystem access denied')
  if (own && (own.isOwner || ecosystemAdministrators.has(own.role)))
    return brandEcosystem({ ecosystemId, role: own.role, permissions: undefined })
  const permissions = new Set(own?.permissions)
  if (access.permission && !permissions.has(access.permission)) throw denied()
  return brandEcosystem({ ecosystemId, role: own?.role ?? '', permissions })
}

/** A SCOPE_RECORD handler that answered without its check has answered to nobody: fail closed. */
export function assertSettled(values: ContextValues): void {
  if (values.get(grantKey)?.owed) throw new InternalServerError('the handler answered without its access check')
}

function grantOf(context: Pick<HandlerContext, 'values'>): Grant {
  const grant = context.values.get(grantKey)
  if (!grant) throw new InternalServerError('no access check ran')
  return grant
}

/** The calling member. ForbiddenError for services and for people without a member record. */
export function callerOf(context: HandlerContext): MemberAccess {
  const { member } = grantOf(context)
  if (!member) throw denied()
  return member
}

/** The calling member, or undefined when a service or an administrator without a member record calls. */
export const maybeCaller = (context: HandlerContext): MemberAccess | undefined => grantOf(context).member

/** True when the caller is a platform administrator or a service: nothing of a tenant is closed to them. */
export const isPlatformCaller = (context: HandlerContext): boolean => isPlatform(grantOf(context))

/** The workspace of a SCOPE_WORKSPACE call. */
export function tenantOf(context: HandlerContext): Tenant {
  const { tenant } = grantOf(context)
  if (!tenant) throw new InternalServerError('the method opens no workspace')
  return tenant
}

/** The ecosystem of a SCOPE_ECOSYSTEM call. */
export function ecosystemOf(context: HandlerContext): Ecosystem {
  const { ecosystem } = grantOf(context)
  if (!ecosystem) throw new InternalServerError('the method opens no ecosystem')
  return ecosystem
}

/**
 * The workspace of a record that a SCOPE_RECORD call names by id. Another tenant's record is
 * a NotFoundError, exactly like one that does not exist; a missing permission is a ForbiddenError.
 * @param workspaceId of the record, undefined when there is no such record
 * @param what names the record in the message: "Team" gives "Team not found"
 */
export async function tenantOfRecord(
  context: HandlerContext,
  workspaceId: string | null | undefined,
  what: string,
): Promise<Tenant> {
  const grant = grantOf(context)
  const notFound = new NotFoundError(`${what} not found`)
  if (!workspaceId) throw notFound
  if (!isPlatform(grant) && !(await ownWorkspace(grant, workspaceId))) throw notFound
  const tenant = await openWorkspace(grant, workspaceId)
  grant.owed = false
  return tenant
}

/** The same for a record of an ecosystem. */
export function ecosystemOfRecord(
  context: HandlerContext,
  ecosystemId: string | null | undefined,
  what: string,
): Ecosystem {
  const grant = grantOf(context)
  const { member } = grant
  const belongs =
    isPlatform(grant) ||
    member?.ecosystems.some(e => e.ecosystemId === ecosystemId) ||
    member?.workspaces.some(w => w.ecosystemId === ecosystemId)
  if (!ecosystemId || !belongs) throw new NotFoundError(`${what} not found`)
  const ecosystem = openEcosystem(grant, ecosystemId)
  grant.owed = false
  return ecosystem
}

/** Settles a SCOPE_RECORD call whose record is the caller's own or whose rule the handler has decided itself. */
export function settleRecord(context: Pick<HandlerContext, 'values'>, reason: string): void {
  if (!reason) throw new InternalServerError('a decision needs its reason')
  grantOf(context).owed = false
}

/** Opens a further workspace for the running call, such as the one of a second record. */
export const openFurther = (context: HandlerContext, workspaceId: string): Promise<Tenant> =>
  openWorkspace(grantOf(context), workspaceId)
