import { createPublicKey, verify } from 'node:crypto'
import { isText, type JsonFields, parseJson } from '../request-values.ts'

const scopes = ['https://www.googleapis.com/auth/firebase.messaging', 'https://www.googleapis.com/auth/cloud-platform']

/**
 * What is wrong with a service account's signed assertion, in the token endpoint's words; undefined when it is valid.
 * Without the private key, only the signature's form is checked.
 */
export function assertionFault(assertion: unknown, clientEmail?: string, privateKey?: string): string | undefined {
  if (!isText(assertion, 8192)) return 'Bad Request'
  const parts = assertion.split('.')
  const [header, claims] = parts.slice(0, 2).map(part => parseJson(Buffer.from(part, 'base64url').toString('utf8')))
  if (parts.length !== 3 || !header || !claims) return 'Bad Request'
  if (header['alg'] !== 'RS256') return 'Invalid JWT: only RS256 is accepted.'
  const fault = claimsFault(claims)
  if (fault) return fault
  if (clientEmail && claims['iss'] !== clientEmail) return 'Invalid grant: account not found'
  const signature = Buffer.from(parts[2] ?? '', 'base64url')
  if (signature.length < 128) return 'Invalid JWT Signature.'
  if (!privateKey) return undefined
  return signedBy(privateKey, `${parts[0]}.${parts[1]}`, signature) ? undefined : 'Invalid JWT Signature.'
}

function signedBy(privateKey: string, text: string, signature: Buffer): boolean {
  try {
    const key = createPublicKey(privateKey.replaceAll('\\n', '\n'))
    return verify('RSA-SHA256', Buffer.from(text), key, signature)
  } catch {
    return false
  }
}

function claimsFault(claims: JsonFields): string | undefined {
  const { iss, scope, aud, iat, exp } = claims
  if (!isText(iss, 320)) return 'Invalid JWT: iss is missing.'
  if (!isText(aud, 500) || !aud.endsWith('/token')) return 'Invalid JWT: Failed audience check.'
  if (!isText(scope, 2000) || !scopes.some(allowed => scope.split(' ').includes(allowed)))
    return 'Invalid OAuth scope or ID token audience provided.'
  const now = Date.now() / 1000
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat > 3600 || exp <= now || iat > now + 300) {
    return 'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'
  }
  return undefined
}
