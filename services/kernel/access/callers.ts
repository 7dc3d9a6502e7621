import type { EventActor } from '../bus/events.ts'
import type { Credential } from './credentials.ts'
import type { MemberAccess, OpenTenants } from './rights.ts'

declare const personBrand: unique symbol

/**
 * A calling person, as a member. Only a person has a member and a user: a handler of personal data takes a `Person`,
 * and only `personOf` in access.ts makes one.
 */
export type Person = MemberAccess & { readonly [personBrand]: true }

/** The member on whose behalf a call acts: a person, or the owner of the credential, which is then named too. */
export type ActingMember = { memberId: string; name: string; credentialId?: string }

/** The caller, once the call has passed its access option. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'person'; person: Person }
  /** A token without a member: a legacy Administrator account, or a person who belongs to no hotel yet. */
  | { kind: 'account'; isAdministrator: boolean }
  | { kind: 'credential'; credential: Credential; owner: ActingMember; open: OpenTenants }
  /** A service, with the person on whose behalf it calls if a bearer token came beside its key. */
  | { kind: 'service'; onBehalfOf: MemberAccess | undefined }

/** Only access.ts may call this, once it has found the token's person. */
export const brandPerson = (access: MemberAccess): Person => access as Person

const noTenants: OpenTenants = { workspaces: [], ecosystems: [] }

/** The tenants open to a caller. Services and administrators belong to none and pass every tenant check. */
export function openTenants(caller: Caller): OpenTenants {
  if (caller.kind === 'person') return caller.person
  return caller.kind === 'credential' ? caller.open : noTenants
}

/**
 * The member on whose behalf the call acts. Undefined for administrators without a member and for services themselves.
 */
export function actingMemberOfCaller(caller: Caller): ActingMember | undefined {
  if (caller.kind === 'person') return { memberId: caller.person.memberId, name: caller.person.name }
  if (caller.kind === 'credential') return { ...caller.owner, credentialId: caller.credential.credentialId }
  if (caller.kind !== 'service' || !caller.onBehalfOf) return undefined
  const { memberId, name } = caller.onBehalfOf
  return { memberId, name }
}

/** A member as the actor of an event. */
export const memberAsActor = ({ memberId, name, credentialId }: ActingMember): EventActor => ({
  id: memberId,
  name,
  type: 'member',
  ...(credentialId ? { credentialId } : {}),
})
