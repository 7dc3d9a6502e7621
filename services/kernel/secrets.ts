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
 * AES-256-GCM in the documented three-part text {encryptedText}.{iv}.{tag}, base64url
 * (document 1, "Authentication" 1 and 3). Each purpose has a key of its own, derived by
 * HKDF, and is bound to the text as additional data: a stored secret is no access token.
 */
export type Cipher = {
  /** Encrypts a text. Every call gives a different answer. */
  seal(text: string): string
  /** The text again, or undefined when a single bit differs, the key is another or the form is not exact. */
  open(sealed: string): string | undefined
}

/** Longest sealed text that is opened unless the purpose asks for more: credentials come from anybody. */
const maxSealedLength = 16_384
const form = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22})$/

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * Decodes base64url strictly. The form has seen to the characters; what is left are the spare
 * bits of the last one, which decoders ignore and which must be zero here.
 */
function decode(text: string): Buffer | undefined {
  const rest = text.length % 4
  const spare = rest === 2 ? 0b1111 : rest === 3 ? 0b11 : 0
  if (rest === 1 || (spare && alphabet.indexOf(text.at(-1) ?? '') & spare)) return undefined
  return Buffer.from(text, 'base64url')
}

/**
 * A cipher for one purpose.
 * @param purpose separates keys: 'access-token', 'stored-secret', …
 * @param secrets the current secret first, then those that are still read during a rotation
 * @param maxLength of a sealed text that is opened
 */
export function cipher(purpose: string, secrets: string[], maxLength: number = maxSealedLength): Cipher {
  const aad = Buffer.from(purpose)
  // As key objects: given bytes, Node would make one anew for every text, which takes longer than the decryption.
  const keys = secrets.map(secret => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'platform', purpose, 32))))
  const [current] = keys
  if (!current) throw new Error(`no secret for ${purpose}`)

  const tryKey = (key: KeyObject, data: Buffer, iv: Buffer, tag: Buffer): string | undefined => {
    // Without authTagLength Node accepts tags of four bytes, which can be guessed.
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
    decipher.setAAD(aad)
    decipher.setAuthTag(tag)
    const text = decipher.update(data)
    try {
      // Of this mode nothing is left to come: the end only checks the tag.
      decipher.final()
      return text.toString()
    } catch {
      return undefined
    }
  }

  return {
    seal(text) {
      const iv = randomBytes(12)
      const encipher = createCipheriv('aes-256-gcm', current, iv, { authTagLength: 16 })
      encipher.setAAD(aad)
      const data = Buffer.concat([encipher.update(text, 'utf8'), encipher.final()])
      return `${data.toString('base64url')}.${iv.toString('base64url')}.${encipher.getAuthTag().toString('base64url')}`
    },
    open(sealed) {
      if (sealed.length > maxLength) return undefined
      const parts = form.exec(sealed)
      if (!parts) return undefined
      const [data, iv, tag] = [decode(parts[1] ?? ''), decode(parts[2] ?? ''), decode(parts[3] ?? '')]
      if (!data || !iv || !tag) return undefined
      for (const key of keys) {
        const text = tryKey(key, data, iv, tag)
        if (text !== undefined) return text
      }
      return undefined
    },
  }
}

/** SHA-256 of a secret as 64 hexadecimal characters; what is stored in place of a token. */
export const digest = (secret: string): string => hash('sha256', secret)

/** HMAC-SHA-256 as hexadecimal characters: a digest that short codes need, because theirs can be searched. */
export const keyedDigest = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex')

/** A random token of 32 bytes, base64url: for links and refresh tokens. */
export const newToken = (): string => randomBytes(32).toString('base64url')

const compared = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Compares two secrets in a time that tells nothing about either. */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(compared(a), compared(b))

/** The same with several that stay, whose part of the work is done once: each call between services asks. */
export function oneOf(secrets: string[]): (given: string) => boolean {
  const known = secrets.map(compared)
  return given => {
    const its = compared(given)
    return known.some(one => timingSafeEqual(one, its))
  }
}
