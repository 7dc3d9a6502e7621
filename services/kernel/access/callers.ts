import type { Credential } from './credentials.ts'
import type { EventActor } from '../bus/events.ts'
import type { MemberAccess } from './rights.ts'

declare const personBrand: unique symbol

/**
 * A person who is calling, as the member they are. Only a person has a member and a user: a handler of what belongs to a
 * person takes a `Person`, and only `personOf` in access.ts makes one.
 */
export type Person = MemberAccess & { readonly [personBrand]: true }

/** The workspaces and ecosystems that are open to a caller, with what the caller may do in each. */
export type OpenTenants = Pick<MemberAccess, 'workspaces' | 'ecosystems'>

/** The member in whose name a call acts: a person, or the owner of the credential, which is then named as well. */
export type ActingMember = { memberId: string; name: string; credentialId?: string }

/** Who is calling, once the call has passed the check of its access option. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'person'; person: Person }
  /** A token without a member: a legacy Administrator account, or a person whom no hotel has yet. */
  | { kind: 'account'; isAdministrator: boolean }
  | {
      kind: 'credential'
      credential: Credential
      owner: ActingMember
      open: OpenTenants
      /** The owner is a platform administrator: every workspace of the credential's ecosystem is open. */
      opensEcosystem: boolean
    }
  /** A service, and the person on whose behalf it calls where a bearer token stood beside its key. */
  | { kind: 'service'; onBehalfOf: MemberAccess | undefined }

/** Only access.ts may call this, once a token's person was found. */
export const brandPerson = (access: MemberAccess): Person => access as Person

const noTenants: OpenTenants = { workspaces: [], ecosystems: [] }

/** The tenants that are open to a caller. Services and administrators pass every tenant's check without being in any. */
export function openTenants(caller: Caller): OpenTenants {
  if (caller.kind === 'person') return caller.person
  return caller.kind === 'credential' ? caller.open : noTenants
}

/** The member in whose name the call acts; undefined for administrators without a member and for services by themselves. */
export function actingFor(caller: Caller): ActingMember | undefined {
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
