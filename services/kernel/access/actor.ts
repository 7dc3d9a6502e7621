import { createContextKey } from '@connectrpc/connect'
import type { Credential } from './credentials.ts'
import type { AccessClaims } from './tokens.ts'

/** Who is calling, as the credentials say. Rights are computed per request, never read from here. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'person'; claims: AccessClaims }
  /** An ecosystem's API credential. */
  | { kind: 'credential'; credential: Credential }
  /** Another service, and the claims of the bearer token that came beside its key. */
  | { kind: 'service'; onBehalfOf: AccessClaims | undefined }

export const anonymous: Actor = { kind: 'anonymous' }

/** Claims of the token that came with the call: of the person, or of the one on whose behalf a service calls. */
export function claimsOfActor(actor: Actor): AccessClaims | undefined {
  if (actor.kind === 'person') return actor.claims
  return actor.kind === 'service' ? actor.onBehalfOf : undefined
}

/** The caller of the running RPC; set by the authenticating interceptor. */
export const actorKey = createContextKey<Actor>(anonymous, { description: 'actor' })

/** Id of the request, the same in every process it passes. */
export const requestIdKey = createContextKey<string>('', { description: 'request id' })
