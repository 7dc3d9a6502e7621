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
/** What the two parts behind the text take, dots included. */
const [ivLength, tagLength] = [17, 23]

/** What the last character may be when so many are over a multiple of four: it then has bits that no byte uses, and they are zero. */
const endings = [undefined, '', 'AQgw', 'AEIMQUYcgkosw048']

/**
 * Whether a base64url text of which so many bytes were decoded is what an encoder makes of them. Decoders pass over
 * characters that they do not know and ignore spare bits; `dataOf` keeps from them what else they would take.
 */
function isExact(text: string, bytes: number): boolean {
  if (text.length !== Math.ceil((bytes * 4) / 3)) return false
  const ending = endings[text.length % 4]
  return ending === undefined || ending.includes(text.charAt(text.length - 1))
}

/** Without a length of the tag Node accepts tags of four bytes, which can be guessed. */
const options = { authTagLength: 16 }

/** Where the short parts of the text at hand are decoded: the cipher copies them, and nothing waits in between. */
const iv = Buffer.alloc(12)
const tag = Buffer.alloc(16)

const fills = (part: Buffer, text: string): boolean =>
  part.write(text, 'base64url') === part.length && isExact(text, part.length)

/** The long part of a sealed text, still as text, with the short ones in `iv` and `tag`; undefined when the form is not exact. */
function dataOf(sealed: string): string | undefined {
  // Decoders take the other alphabet of base64 too, and of a character beyond Latin 1 its lower byte.
  if (sealed.includes('+') || sealed.includes('/') || Buffer.byteLength(sealed) !== sealed.length) return undefined
  const tagAt = sealed.length - tagLength
  const ivAt = tagAt - ivLength
  if (ivAt < 0 || sealed[ivAt] !== '.' || sealed[tagAt] !== '.') return undefined
  if (!fills(iv, sealed.slice(ivAt + 1, tagAt)) || !fills(tag, sealed.slice(tagAt + 1))) return undefined
  return sealed.slice(0, ivAt)
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

  const tryKey = (key: KeyObject, data: string): string | undefined => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, options)
    decipher.setAAD(aad)
    decipher.setAuthTag(tag)
    // Decoded on its way: as many bytes come out as went in.
    const text = decipher.update(data, 'base64url')
    if (!isExact(data, text.length)) return undefined
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
      const nonce = randomBytes(12)
      const encipher = createCipheriv('aes-256-gcm', current, nonce, options)
      encipher.setAAD(aad)
      const data = Buffer.concat([encipher.update(text, 'utf8'), encipher.final()])
      return `${data.toString('base64url')}.${nonce.toString('base64url')}.${encipher.getAuthTag().toString('base64url')}`
    },
    open(sealed) {
      if (sealed.length > maxLength) return undefined
      const data = dataOf(sealed)
      if (data === undefined) return undefined
      for (const key of keys) {
        const text = tryKey(key, data)
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
