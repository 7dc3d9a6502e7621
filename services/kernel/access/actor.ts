import { createContextKey } from '@connectrpc/connect'
import type { Credential } from './credentials.ts'
import type { AccessClaims } from './tokens.ts'

/** The caller, according to the credentials. Rights are computed per request and never stored here. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'person'; claims: AccessClaims }
  /** An ecosystem's API credential. */
  | { kind: 'credential'; credential: Credential }
  /** Another service, with the claims of the bearer token sent beside its key. */
  | { kind: 'service'; onBehalfOf: AccessClaims | undefined }

export const anonymousActor: Actor = { kind: 'anonymous' }

/** Claims of the token sent with the call: of the person, or of the person on whose behalf a service calls. */
export function claimsOfActor(actor: Actor): AccessClaims | undefined {
  if (actor.kind === 'person') return actor.claims
  return actor.kind === 'service' ? actor.onBehalfOf : undefined
}

/** The caller of the running RPC; set by the authenticating interceptor. */
export const actorKey = createContextKey<Actor>(anonymousActor, { description: 'actor' })

/** The request id, the same in every process that the request passes. */
export const requestIdKey = createContextKey<string>('', { description: 'request id' })
