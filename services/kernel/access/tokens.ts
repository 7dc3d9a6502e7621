import { LRUCache } from 'lru-cache'
import { cipher } from '../base/secrets.ts'

/** Claims of an access token (docs/contract.md). `memberId` and the times are additions of the platform. */
export type AccessClaims = {
  userId: string
  email: string
  isAdmin: boolean
  memberId: string | null
  workspaceId: string | null
  roles: string[]
  permissions: string[]
  /** The recipient: the modern version, the legacy version, or a legacy Administrator account. */
  kind: 'modern' | 'legacy' | 'administrator'
  /** Session that the token belongs to. */
  sessionId: string | null
  /** Issued at and expires at, in seconds since 1970. */
  iat: number
  exp: number
  /** Further legacy claims. */
  [extra: string]: unknown
}

export type Tokens = {
  /** Issues a token with the claims, valid for `seconds`. */
  issue(claims: Omit<AccessClaims, 'iat' | 'exp'>, seconds: number): string
  /** The claims, or undefined for anything but a valid token. */
  verify(token: string): AccessClaims | undefined
  /** Whether a token was valid until it expired. */
  isExpired(token: string): boolean
}

/** Tolerated clock difference between machines, in seconds. */
const leeway = 5

const rememberedTokens = 10_000

/**
 * Access tokens in the documented three-part form.
 * @param secrets JWT_ACCESS_SECRET, then the previous one during a rotation
 */
export function accessTokens(secrets: string[], now: () => number = Date.now): Tokens {
  const tokenCipher = cipher('access-token', secrets)
  // Clients send the same token with every call, so decrypted claims are cached. Expiry is checked each time.
  const claimsByToken = new LRUCache<string, AccessClaims>({ max: rememberedTokens })
  const open = (token: string): AccessClaims | undefined => {
    const cachedClaims = claimsByToken.get(token)
    if (cachedClaims) return cachedClaims
    const text = tokenCipher.open(token)
    if (text === undefined) return undefined
    const claims = Object.freeze(JSON.parse(text) as AccessClaims)
    claimsByToken.set(token, claims)
    return claims
  }
  const isPast = ({ exp }: AccessClaims): boolean => exp + leeway <= now() / 1000
  return {
    issue(claims, seconds) {
      const iat = Math.floor(now() / 1000)
      return tokenCipher.seal(JSON.stringify({ ...claims, iat, exp: iat + seconds }))
    },
    verify(token) {
      const claims = open(token)
      return claims && !isPast(claims) ? claims : undefined
    },
    isExpired(token) {
      const claims = open(token)
      return claims !== undefined && isPast(claims)
    },
  }
}
