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
  open(sealed: string): string | undefined
}

/** Longest sealed text that is opened by default: credentials come from untrusted clients. */
const maxSealedLength = 16_384
/** Lengths of the two parts behind the text, dots included. */
const [ivLength, tagLength] = [17, 23]

/** Allowed last characters, by the length modulo four: unused bits of the last character must be zero. */
const endings = [undefined, '', 'AQgw', 'AEIMQUYcgkosw048']

/**
 * Whether a base64url text is exactly what an encoder writes for the number of decoded bytes. Decoders skip unknown
 * characters and ignore unused bits; `dataOf` refuses the rest that they tolerate.
 */
function isExact(text: string, bytes: number): boolean {
  if (text.length !== Math.ceil((bytes * 4) / 3)) return false
  const ending = endings[text.length % 4]
  return ending === undefined || ending.includes(text.charAt(text.length - 1))
}

/** Without this length, Node accepts tags of four bytes, which can be guessed. */
const options = { authTagLength: 16 }

/** Reused buffers for the short parts: the cipher copies them, and decoding is synchronous. */
const iv = Buffer.alloc(12)
const tag = Buffer.alloc(16)

const fills = (part: Buffer, text: string): boolean =>
  part.write(text, 'base64url') === part.length && isExact(text, part.length)

/**
 * The long part of a sealed text, still encoded, with the short parts in `iv` and `tag`. Undefined when the form isn't
 * exact.
 */
function dataOf(sealed: string): string | undefined {
  // Decoders also take standard base64, and the lower byte of a character beyond Latin 1.
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
 * @param secrets the current secret first, then those still accepted during a rotation
 * @param maxLength of a sealed text that is opened
 */
export function cipher(purpose: string, secrets: string[], maxLength: number = maxSealedLength): Cipher {
  const aad = Buffer.from(purpose)
  // Key objects: from bytes, Node would create one per text, which takes longer than the decryption.
  const keys = secrets.map(secret => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'platform', purpose, 32))))
  const [current] = keys
  if (!current) throw new Error(`no secret for ${purpose}`)

  const tryKey = (key: KeyObject, data: string): string | undefined => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, options)
    decipher.setAAD(aad)
    decipher.setAuthTag(tag)
    // Decodes while decrypting: in this mode the lengths are equal.
    const text = decipher.update(data, 'base64url')
    if (!isExact(data, text.length)) return undefined
    try {
      // In this mode `final` yields no bytes; it only checks the tag.
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
export function secretMatcher(secrets: string[]): (given: string) => boolean {
  const known = secrets.map(compared)
  return given => {
    const its = compared(given)
    return known.some(one => timingSafeEqual(one, its))
  }
}
