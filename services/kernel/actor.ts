import { createContextKey } from '@connectrpc/connect'
import type { Credential } from './credentials.ts'
import type { AccessClaims } from './tokens.ts'

/** Who is calling, as the credential says. Rights are computed per request, never read from here. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'person'; claims: AccessClaims }
  /** An ecosystem's API credential: its owner, but only as far as the credential goes. */
  | { kind: 'credential'; credential: Credential }
  | { kind: 'service' }

export const anonymous: Actor = { kind: 'anonymous' }

/** The caller of the running RPC; set by the authenticating interceptor. */
export const actorKey = createContextKey<Actor>(anonymous, { description: 'actor' })

/** Id of the request, the same in every process it passes. */
export const requestIdKey = createContextKey<string>('', { description: 'request id' })
