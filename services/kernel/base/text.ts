/** Decodes a header's text: clients send UTF-8, and Node reads every byte as one character. */
export function decodeHeader(value: string | null): string | null {
  const text = Buffer.from(value ?? '', 'latin1').toString()
  return text.includes('\ufffd') ? value : value && text
}

/**
 * Whether If-None-Match or If-Match names an entity tag (RFC 9110, 13.1). Its weak form counts too: proxies make one
 * when they compress the answer.
 * @param etag with its quotes
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text inside HTML, also in an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, mark => entities[mark] ?? mark)

/** A person's name as texts show it. An invited person may have no last name yet. */
export const fullName = (firstName: string, lastName = ''): string => `${firstName} ${lastName}`.trim()

/** E-mail addresses are stored and compared in this spelling: composed, trimmed, lower case. */
export const normalizeEmail = (email: string): string => email.normalize('NFC').trim().toLowerCase()

/** An address without a scheme begins with a host: www.hotel.example/menu. */
const hostFirst = /^[^:/?#\s]*\.[^:/?#.\s]+(?:[/?#]|$)/

/** A web address with its scheme, `https:` where none is given. Undefined for a relative address. */
export function webAddress(text: string): string | undefined {
  const withScheme = text.startsWith('//') ? `https:${text}` : hostFirst.test(text) ? `https://${text}` : text
  return /^https?:\/\//i.test(withScheme) ? withScheme : undefined
}

/** Insertions, deletions and replacements between two words; Infinity if their lengths differ by more than `max`. */
export function editDistance(word: string, target: string, max: number): number {
  if (Math.abs(word.length - target.length) > max) return Infinity
  let row = Array.from({ length: target.length + 1 }, (_, index) => index)
  for (const [i, letter] of word.split('').entries()) {
    const next = [i + 1]
    for (const [j, targetLetter] of target.split('').entries())
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === targetLetter ? 0 : 1)))
    row = next
  }
  return row.at(-1) ?? 0
}
