/** Control characters, and those that change the reading direction to disguise an extension. */
const unprintable = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** The beginning of a path of Windows, as some clients send it. Elsewhere a backslash belongs to the name. */
const folders = /^(?:[a-z]:|\.{0,2})\\(?:.*\\)?/is

/** A file name as typed, without its folders and unprintable characters; never empty. */
export function fileNameOf(name: string): string {
  const plain = name.replace(unprintable, '').replace(/^.*\//s, '').replace(folders, '').trim().toWellFormed()
  return /^\.*$/.test(plain) ? 'file' : plain
}

/**
 * The name in a multipart header, whose plain form states no charset.
 * @param name its bytes as Latin-1, or, from an extended parameter (RFC 5987), its characters
 */
export function decodeFileName(name: string): string {
  const text = /[^\u0000-\u00ff]/.test(name) ? name : decodeBytes(Buffer.from(name, 'latin1'))
  // Some clients percent-encode the whole name. In a name as typed, letters are not encoded.
  if (!/^[\x20-\x7e]*%[89a-f][0-9a-f][\x20-\x7e]*$/i.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function decodeBytes(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A Content-Disposition value (RFC 6266): a plain form for old clients, and a UTF-8 form beside it. */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  if (!name) return kind
  const plain = name.replace(/[^\x20-\x7e]|%/g, '_').replace(/["\\]/g, '\\$&')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
