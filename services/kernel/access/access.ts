import { type DescMethod, getOption, type Message } from '@bufbuild/protobuf'
import { type ContextValues, createContextKey, type HandlerContext } from '@connectrpc/connect'
import {
  type Access,
  access as accessOption,
  Caller as Kind,
  Scope,
} from '../../../gen/platform/options/v1/options_pb.ts'
import { ForbiddenError, InternalServerError, invalid, NotFoundError } from '../base/errors.ts'
import { memoizeByObject } from '../base/memo.ts'
import { type EventActor, systemActor } from '../bus/events.ts'
import { type Actor, actorKey } from './actor.ts'
import {
  type ActingMember,
  actingMemberOfCaller,
  brandPerson,
  type Caller,
  memberAsActor,
  openTenants,
  type Person,
} from './callers.ts'
import { type Credential, tenantsOfCredential } from './credentials.ts'
import type { OpenTenants, Rights } from './rights.ts'
import { brandEcosystem, brandTenant, type Ecosystem, type Tenant, tenantOfMember } from './tenant.ts'
import type { AccessClaims } from './tokens.ts'

/** The result of the access check of the running call. Handlers read it through the functions below. */
type Grant = {
  rights: Rights
  access: Access
  caller: Caller
  /** The workspace that the token claims as the person's own. */
  claimedWorkspaceId: string | null
  tenant: Tenant | undefined
  ecosystem: Ecosystem | undefined
  /** Whether a SCOPE_RECORD handler has still to make its check. */
  owesRecordCheck: boolean
  openedTenants: OpenedTenants
}

/** The tenants that a call has opened, as a stored idempotent answer records them. */
export type OpenedTenants = { workspaces: string[]; ecosystems: string[]; byPlatform: boolean }

const grantKey = createContextKey<Grant | undefined>(undefined, { description: 'grant' })

const permissionDenied = (permission = '') => new ForbiddenError('Permission denied', { permission })
const peopleOnly = () => new ForbiddenError('This route is for signed-in users only')
const workspaceDenied = () => new ForbiddenError('Workspace access denied')
const ecosystemDenied = () => new ForbiddenError('Ecosystem access denied')

/** The access option of a method. A method without one is refused to every caller. */
export const accessOf = memoizeByObject((method: DescMethod): Access => {
  const access = getOption(method, accessOption)
  if (access.callers.length === 0 || access.callers.includes(Kind.UNSPECIFIED) || access.scope === Scope.UNSPECIFIED)
    throw new InternalServerError(`${method.toString()} has no access option`)
  return access
})

export const takesPeople = ({ callers }: Access): boolean =>
  callers.includes(Kind.PERSON) || callers.includes(Kind.PERSON_OR_CREDENTIAL)

/** Checks the call against the method's access option and leaves the result in the context. */
export async function authorize(
  access: Access,
  message: Message | undefined,
  values: ContextValues,
  rights: Rights,
): Promise<void> {
  const actor = values.get(actorKey)
  const isPublic = access.callers.includes(Kind.PUBLIC)
  const caller = isPublic ? publicCaller(actor) : await admit(access, actor, rights)
  const grant: Grant = {
    rights,
    access: isAboutCaller(access, message, caller) ? { ...access, permission: '' } : access,
    caller,
    claimedWorkspaceId: actor.kind === 'person' ? actor.claims.workspaceId : null,
    tenant: undefined,
    ecosystem: undefined,
    owesRecordCheck: access.scope === Scope.RECORD && !isPublic,
    openedTenants: { workspaces: [], ecosystems: [], byPlatform: false },
  }
  grant.openedTenants.byPlatform = isPlatform(grant)
  values.set(grantKey, grant)
  if (isPublic) return
  const scopeId = message && access.scopeField ? fieldOf(message, access.scopeField) : ''
  const isOverAll = access.platformWide && !scopeId && isPlatform(grant)
  if (access.scope === Scope.WORKSPACE && !isOverAll) grant.tenant = await openWorkspace(grant, scopeId)
  if (access.scope === Scope.ECOSYSTEM) grant.ecosystem = openEcosystem(grant, scopeId)
}

const isAboutCaller = ({ ownField }: Access, message: Message | undefined, caller: Caller): boolean =>
  ownField !== '' &&
  message !== undefined &&
  caller.kind === 'person' &&
  fieldOf(message, ownField) === caller.person.memberId

/** Refuses a caller who belongs to no tenant where one is needed, so that no body is read for them [R62]. */
export async function requireTenant(access: Access, actor: Actor, rights: Rights): Promise<void> {
  if (access.callers.includes(Kind.PUBLIC) || access.scope === Scope.IDENTITY) return
  const user = memberUserOf(actor)
  if (user === undefined) return
  const member = await rights.ofUser(user.userId, user.ecosystemId)
  if (member && (member.isSuperAdmin || member.workspaces.length + member.ecosystems.length > 0)) return
  await admit(access, actor, rights)
  if (access.scope === Scope.WORKSPACE) throw workspaceDenied()
  if (access.scope === Scope.ECOSYSTEM) throw ecosystemDenied()
}

/** The user whose membership a call needs. Undefined for services and legacy Administrator accounts. */
function memberUserOf(actor: Actor): { userId: string; ecosystemId?: string } | undefined {
  if (actor.kind === 'credential') return actor.credential
  return actor.kind === 'person' && actor.claims.kind !== 'administrator' ? { userId: actor.claims.userId } : undefined
}

/** A public method needs no rights, so none are looked up. */
function publicCaller(actor: Actor): Caller {
  if (actor.kind === 'service') return { kind: 'service', onBehalfOf: undefined }
  if (actor.kind === 'person') return { kind: 'account', isAdministrator: actor.claims.kind === 'administrator' }
  return { kind: 'anonymous' }
}

/** The caller, when the access option names their kind. */
function admit(access: Access, actor: Actor, rights: Rights): Promise<Caller> {
  if (actor.kind === 'person') return admitPerson(access, actor.claims, rights)
  if (actor.kind === 'credential') return admitCredential(access, actor.credential, rights)
  return admitService(access, actor, rights)
}

async function admitPerson(access: Access, claims: AccessClaims, rights: Rights): Promise<Caller> {
  const takesAdministrators = access.callers.includes(Kind.PLATFORM_ADMIN)
  if (claims.kind === 'administrator') {
    // A legacy Administrator account has no member record. Like a super administrator, it passes every tenant check.
    if (takesAdministrators || takesPeople(access)) return { kind: 'account', isAdministrator: true }
    throw permissionDenied()
  }
  const member = await rights.ofUser(claims.userId)
  if (!takesPeople(access) && !(takesAdministrators && member?.isSuperAdmin)) throw permissionDenied()
  if (member) return { kind: 'person', person: brandPerson(member) }
  if (access.scope !== Scope.IDENTITY) throw workspaceDenied()
  return { kind: 'account', isAdministrator: false }
}

async function admitCredential(access: Access, credential: Credential, rights: Rights): Promise<Caller> {
  if (!access.callers.includes(Kind.PERSON_OR_CREDENTIAL)) throw takesPeople(access) ? peopleOnly() : permissionDenied()
  const owner = await rights.ofUser(credential.userId, credential.ecosystemId)
  if (!owner) throw workspaceDenied()
  return {
    kind: 'credential',
    credential,
    owner: { memberId: owner.memberId, name: owner.name },
    open: tenantsOfCredential(credential, owner),
  }
}

async function admitService({ callers }: Access, actor: Actor, rights: Rights): Promise<Caller> {
  if (actor.kind !== 'service' || !callers.includes(Kind.SERVICE)) throw permissionDenied()
  const { onBehalfOf: claims } = actor
  const isMember = claims !== undefined && claims.kind !== 'administrator'
  return { kind: 'service', onBehalfOf: isMember ? await rights.ofUser(claims.userId) : undefined }
}

const camelCase = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The value of a request field, by its snake_case name. */
export function fieldOf(message: Message, name: string): string {
  const value = (message as Record<string, unknown>)[camelCase(name)]
  return typeof value === 'string' ? value : ''
}

const isPlatform = ({ caller }: Grant): boolean =>
  caller.kind === 'service' ||
  (caller.kind === 'person' && caller.person.isSuperAdmin) ||
  (caller.kind === 'account' && caller.isAdministrator)

/** A caller who belongs to no tenant must name one: there is no default. */
const tenantRequired = ({ scopeField }: Access) =>
  invalid(camelCase(scopeField), 'is required for callers without a tenant', 'required')

async function openWorkspace(grant: Grant, requestedId: string): Promise<Tenant> {
  const { caller, claimedWorkspaceId, access } = grant
  const memberships = openTenants(caller).workspaces
  const membership = requestedId
    ? memberships.find(w => w.workspaceId === requestedId)
    : (memberships.find(w => w.workspaceId === claimedWorkspaceId) ?? memberships[0])
  if (isPlatform(grant)) {
    const openedId = requestedId || membership?.workspaceId
    if (!openedId) throw tenantRequired(access)
    const workspace = await grant.rights.workspace(openedId)
    if (!workspace) throw new NotFoundError('Workspace not found')
    const { workspaceId, workspaceName, ecosystemId } = workspace
    grant.openedTenants.workspaces.push(workspaceId)
    return brandTenant({
      workspaceId,
      workspaceName,
      ecosystemId,
      role: '',
      isAdmin: true,
      permissions: undefined,
    })
  }
  if (!membership) throw workspaceDenied()
  const permissions = [access.permission, access.ownPermission].filter(Boolean)
  if (access.permission && !permissions.some(slug => membership.permissions.includes(slug)))
    throw permissionDenied(access.permission)
  grant.openedTenants.workspaces.push(membership.workspaceId)
  return tenantOfMember(membership)
}

const ecosystemAdministrators = new Set(['owner', 'admin'])

function openEcosystem(grant: Grant, requestedId: string): Ecosystem {
  const { caller, access } = grant
  const { ecosystems: memberships, workspaces: callerWorkspaces } = openTenants(caller)
  const ecosystemId = requestedId || (memberships[0]?.ecosystemId ?? callerWorkspaces[0]?.ecosystemId ?? '')
  if (isPlatform(grant)) {
    if (!ecosystemId) throw tenantRequired(access)
    grant.openedTenants.ecosystems.push(ecosystemId)
    return brandEcosystem({ ecosystemId, role: '', permissions: undefined })
  }
  const membership = memberships.find(e => e.ecosystemId === ecosystemId)
  const workspaces = callerWorkspaces.filter(w => w.ecosystemId === ecosystemId)
  if (!membership && workspaces.length === 0) throw ecosystemDenied()
  grant.openedTenants.ecosystems.push(ecosystemId)
  if (membership && (membership.isOwner || ecosystemAdministrators.has(membership.role)))
    return brandEcosystem({ ecosystemId, role: membership.role, permissions: undefined })
  const permissions = new Set(membership?.permissions)
  if (access.permission && !permissions.has(access.permission)) throw permissionDenied(access.permission)
  return brandEcosystem({ ecosystemId, role: membership?.role ?? '', permissions })
}

/** Fails closed: a SCOPE_RECORD handler that never made its check doesn't answer. */
export function assertSettled(values: ContextValues): void {
  if (values.get(grantKey)?.owesRecordCheck)
    throw new InternalServerError('the handler answered without its access check')
}

function grantOf(context: Pick<HandlerContext, 'values'>): Grant {
  const grant = context.values.get(grantKey)
  if (!grant) throw new InternalServerError('no access check ran')
  return grant
}

/** The calling person. Throws a ForbiddenError for credentials, services and people without a member record. */
export function personOf(context: HandlerContext): Person {
  const { caller } = grantOf(context)
  if (caller.kind !== 'person') throw caller.kind === 'credential' ? peopleOnly() : permissionDenied()
  return caller.person
}

/** The calling person, or undefined when the caller isn't a person with a member record. */
export function maybePerson(context: HandlerContext): Person | undefined {
  const { caller } = grantOf(context)
  return caller.kind === 'person' ? caller.person : undefined
}

/** The workspaces and ecosystems open to the caller. Empty for services and administrators, who pass every check. */
export const openTenantsOf = (context: HandlerContext): OpenTenants => openTenants(grantOf(context).caller)

/**
 * The member on whose behalf the call acts: the author of what it creates, and the one whose rank counts. Undefined for
 * services that act for themselves, and for administrators without a member record.
 */
export const actingMember = (context: HandlerContext): ActingMember | undefined =>
  actingMemberOfCaller(grantOf(context).caller)

/** Like `actingMember`, where a record needs an author. Throws a ForbiddenError for callers without one. */
export function requireActingMember(context: HandlerContext): ActingMember {
  const member = actingMember(context)
  if (!member) throw permissionDenied()
  return member
}

/** The caller as the actor of an event or an audit entry; the platform itself where no member acts. */
export function eventActorOf(context: HandlerContext): EventActor {
  const member = actingMember(context)
  return member ? memberAsActor(member) : systemActor
}

/** True for platform administrators and services, to whom every tenant is open. */
export const isPlatformCaller = (context: HandlerContext): boolean => isPlatform(grantOf(context))

/** The workspace of a SCOPE_WORKSPACE call. */
export function tenantOf(context: HandlerContext): Tenant {
  const { tenant } = grantOf(context)
  if (!tenant) throw new InternalServerError('the method opens no workspace')
  return tenant
}

/** Like `tenantOf`; undefined when the platform lists all workspaces. */
export const maybeTenantOf = (context: HandlerContext): Tenant | undefined => grantOf(context).tenant

/** The ecosystem of a SCOPE_ECOSYSTEM call. */
export function ecosystemOf(context: HandlerContext): Ecosystem {
  const { ecosystem } = grantOf(context)
  if (!ecosystem) throw new InternalServerError('the method opens no ecosystem')
  return ecosystem
}

/**
 * The workspace of a record that a SCOPE_RECORD call names by id. Another tenant's record is a NotFoundError, exactly
 * like a missing one; a missing permission is a ForbiddenError.
 * @param workspaceId of the record, undefined when there is no such record
 * @param recordName names the record in the message: "Team" gives "Team not found"
 */
export async function tenantOfRecord(
  context: Pick<HandlerContext, 'values'>,
  workspaceId: string | null | undefined,
  recordName: string,
): Promise<Tenant> {
  const grant = grantOf(context)
  const isOpenToCaller =
    isPlatform(grant) || openTenants(grant.caller).workspaces.some(one => one.workspaceId === workspaceId)
  if (!workspaceId || !isOpenToCaller) throw new NotFoundError(`${recordName} not found`)
  const tenant = await openWorkspace(grant, workspaceId)
  grant.owesRecordCheck = false
  return tenant
}

/** Like `tenantOfRecord`, for a record of an ecosystem. */
export function ecosystemOfRecord(
  context: HandlerContext,
  ecosystemId: string | null | undefined,
  recordName: string,
): Ecosystem {
  const grant = grantOf(context)
  const { ecosystems, workspaces } = openTenants(grant.caller)
  const isOpenToCaller =
    isPlatform(grant) ||
    ecosystems.some(one => one.ecosystemId === ecosystemId) ||
    workspaces.some(one => one.ecosystemId === ecosystemId)
  if (!ecosystemId || !isOpenToCaller) throw new NotFoundError(`${recordName} not found`)
  const ecosystem = openEcosystem(grant, ecosystemId)
  grant.owesRecordCheck = false
  return ecosystem
}

/** Marks the check of a SCOPE_RECORD call as made: for the caller's own record, or a rule that the handler applied. */
export function settleRecord(context: Pick<HandlerContext, 'values'>, reason: string): void {
  if (!reason) throw new InternalServerError('a decision needs its reason')
  grantOf(context).owesRecordCheck = false
}

/** The tenants that the call has opened so far. */
export const openedTenants = (values: ContextValues): OpenedTenants => grantOf({ values }).openedTenants

/**
 * Opens the tenants that an earlier, identical call had opened, so that its stored answer is repeated only to a caller
 * who still has access. Throws a ForbiddenError or a NotFoundError.
 */
export async function reopenTenants(
  values: ContextValues,
  { workspaces, ecosystems, byPlatform }: OpenedTenants,
): Promise<void> {
  const grant = grantOf({ values })
  if (byPlatform && !isPlatform(grant)) throw permissionDenied()
  for (const workspaceId of new Set(workspaces)) await openWorkspace(grant, workspaceId)
  for (const ecosystemId of new Set(ecosystems)) openEcosystem(grant, ecosystemId)
  grant.owesRecordCheck = false
}

/** Opens another workspace for the running call, such as that of a second record. */
export const openAnotherWorkspace = (context: HandlerContext, workspaceId: string): Promise<Tenant> =>
  openWorkspace(grantOf(context), workspaceId)
