import { type Access, Caller } from '../../../gen/platform/options/v1/options_pb.ts'
import { UnauthorizedError } from '../base/errors.ts'
import { secretMatcher } from '../base/secrets.ts'
import type { Accounts } from './accounts.ts'
import { type Actor, anonymousActor } from './actor.ts'
import type { VerifyCredential } from './credentials.ts'
import type { AccessClaims, Tokens } from './tokens.ts'

/** What credentials are checked against. */
export type Credentials = {
  tokens: Tokens
  /** SERVICE_API_KEY, then the previous one during a rotation. */
  serviceKeys: string[]
  /** Checks X-API-Key with X-API-Secret. Without it, such pairs are refused. */
  credentials?: VerifyCredential | undefined
  /** Checks whether a token's account and session are still valid. Without it, the token alone decides. */
  accounts?: Accounts | undefined
}

/** A header of a call by its name. */
type Header = (name: string) => string | undefined

/** The kind of a call's credential. */
type CredentialKind = 'token' | 'service key' | 'key pair'

/** Called for each refused credential, with the headers of its call. */
export type OnRefused = (kind: CredentialKind, header: Header) => void

/**
 * Identifies the caller by the headers of a request, before its body is read; the same on every surface. Throws an
 * UnauthorizedError without a credential where the method needs one, and for any invalid key.
 */
export type Authenticate = (header: Header, access: Access) => Promise<Actor>

type Key = { kind: 'service' } | Extract<Actor, { kind: 'credential' }> | undefined

/** Each credential is checked: a key must be valid whatever accompanies it, and so must a token where one is needed. */
export function authenticator(knownCredentials: Credentials, onRefused: OnRefused = () => undefined): Authenticate {
  const { tokens, serviceKeys, credentials, accounts } = knownCredentials
  const isServiceKey = secretMatcher(serviceKeys)

  const refuse = (kind: CredentialKind, header: Header, reason: string): never => {
    onRefused(kind, header)
    throw new UnauthorizedError(undefined, { reason })
  }

  const keyOf = async (header: Header): Promise<Key> => {
    const key = header('x-api-key')
    if (key === undefined) return undefined
    const secret = header('x-api-secret')
    if (secret === undefined) {
      if (!isServiceKey(key)) return refuse('service key', header, 'The API key is wrong')
      return { kind: 'service' }
    }
    const credential = await credentials?.(key, secret)
    return credential
      ? { kind: 'credential', credential }
      : refuse('key pair', header, 'The API key is wrong or was revoked')
  }

  const personOf = async (token: string | undefined): Promise<AccessClaims | undefined> => {
    const claims = token ? tokens.verify(token) : undefined
    return claims && (accounts === undefined || (await accounts.isValid(claims))) ? claims : undefined
  }

  const whyRefused = (token = ''): string => {
    if (tokens.isExpired(token)) return 'The access token has expired'
    return tokens.verify(token) ? 'The session has ended' : 'The access token is invalid'
  }

  return async (header, access) => {
    const isPublic = access.callers.includes(Caller.PUBLIC)
    const bearer = header('authorization')
    const key = await keyOf(header)
    const claims = bearer === undefined ? undefined : await personOf(bearerToken(bearer))
    // Clients send their expired token when they refresh it: on a public method, an invalid token counts as none.
    if (bearer !== undefined && !claims && !isPublic) return refuse('token', header, whyRefused(bearerToken(bearer)))
    // Beside a service key, a token names the person on whose behalf the service calls; otherwise the person's rights
    // decide.
    if (key?.kind === 'service' && (!claims || isPublic || access.callers.includes(Caller.SERVICE)))
      return { kind: 'service', onBehalfOf: claims }
    if (claims) return { kind: 'person', claims }
    if (key) return key.kind === 'credential' ? key : { kind: 'service', onBehalfOf: undefined }
    if (!isPublic) throw new UnauthorizedError()
    return anonymousActor
  }
}

/**
 * The access token of an Authorization header: `Bearer` in any case, one or more spaces (RFC 9110 11.4), the token.
 * Undefined for anything else.
 */
export const bearerToken = (authorization: string): string | undefined => /^Bearer +(\S+)$/i.exec(authorization)?.[1]
