import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/**
 * AES-256-GCM in the documented text form {encryptedText}.{iv}.{tag}, base64url. Each purpose has its own key, derived
 * by HKDF, and is bound to the text as additional data: a stored secret can't serve as an access token.
 */
export type Cipher = {
  /** Encrypts a text. Every call gives a different result. */
  seal(text: string): string
  /** Decrypts a text. Undefined when a single bit differs, the key is another or the form isn't exact. */
  open(sealedText: string): string | undefined
}

/** Longest sealed text that is opened by default: credentials come from untrusted clients. */
const maxSealedLength = 16_384
/** Without this length, Node accepts tags of four bytes, which can be guessed. */
const options = { authTagLength: 16 }

/** The bytes of a base64url text; undefined unless an encoder writes exactly this text, since decoders tolerate more. */
function decodeExactly(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/**
 * A cipher for one purpose.
 * @param purpose separates keys: 'access-token', 'stored-secret', …
 * @param secrets the current secret first, then those still accepted during a rotation
 * @param maxLength of a sealed text that is opened
 */
export function cipher(purpose: string, secrets: string[], maxLength: number = maxSealedLength): Cipher {
  const aad = Buffer.from(purpose)
  // Key objects: from bytes, Node would create one per text, which takes longer than the decryption.
  const keys = secrets.map(secret => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'platform', purpose, 32))))
  const [current] = keys
  if (!current) throw new Error(`no secret for ${purpose}`)

  const tryKey = (key: KeyObject, data: Buffer, iv: Buffer, tag: Buffer): string | undefined => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, options)
    decipher.setAAD(aad)
    decipher.setAuthTag(tag)
    try {
      return Buffer.concat([decipher.update(data), decipher.final()]).toString()
    } catch {
      return undefined
    }
  }

  return {
    seal(text) {
      const nonce = randomBytes(12)
      const encipher = createCipheriv('aes-256-gcm', current, nonce, options)
      encipher.setAAD(aad)
      const data = Buffer.concat([encipher.update(text, 'utf8'), encipher.final()])
      return `${data.toString('base64url')}.${nonce.toString('base64url')}.${encipher.getAuthTag().toString('base64url')}`
    },
    open(sealedText) {
      if (sealedText.length > maxLength) return undefined
      const [data, iv, tag, ...extraParts] = sealedText.split('.', 4).map(decodeExactly)
      if (!data || iv?.length !== 12 || tag?.length !== 16 || extraParts.length > 0) return undefined
      for (const key of keys) {
        const text = tryKey(key, data, iv, tag)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}

/** A typed password in the form that is hashed and compared: keyboards write the same letter as one character or two. */
export const normalizePassword = (typed: string): string => typed.normalize('NFC')

/** SHA-256 of a secret as 64 hexadecimal characters; stored in place of a token. */
export const digest = (secret: string): string => hash('sha256', secret)

/** HMAC-SHA-256 in hexadecimal, for short codes: their plain digest could be searched. */
export const keyedDigest = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex')

/** A random token of 32 bytes, base64url: for links and refresh tokens. */
export const newToken = (): string => randomBytes(32).toString('base64url')

const compared = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Compares two secrets in constant time. */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(compared(a), compared(b))

/** Compares with several fixed secrets, prepared once, because every call between services is checked. */
export function secretMatcher(secrets: string[]): (secret: string) => boolean {
  const digests = secrets.map(compared)
  return secret => {
    const its = compared(secret)
    return digests.some(one => timingSafeEqual(one, its))
  }
}
