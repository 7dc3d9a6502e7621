import type { ByteRange } from '../objects/objects.ts'

/** What there is of a file to choose from. */
export type Representation = { etag: string; size: number; modified: Date }

/**
 * What a download's headers ask for (RFC 9110, sections 13 and 14): the head alone, all bytes, one range of them, or a
 * range that the file does not have. Several ranges at once get the whole file, as the RFC lets a server choose.
 */
export type Wanted = { kind: 'head' | 'whole' | 'unsatisfiable' } | { kind: 'part'; range: ByteRange }

export function wantedOf(headers: Headers, file: Representation): Wanted {
  if (isKnown(headers, file) || headers.get('x-http-method') === 'HEAD') return { kind: 'head' }
  const range = headers.get('range')
  if (range === null || !isUnchanged(headers.get('if-range'), file)) return { kind: 'whole' }
  return rangeOf(range, file.size)
}

/** Whether the client has this version: its entity tag says so, or, without one, its date. */
function isKnown(headers: Headers, { etag, modified }: Representation): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) return matches(tags, etag)
  return Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(headers.get('if-modified-since') ?? '')
}

/** Whether If-None-Match names the version there is. */
function matches(header: string, etag: string): boolean {
  const known = header.split(',').map(tag => tag.trim().replace(/^W\//, ''))
  return known.includes(`"${etag}"`) || known.includes('*')
}

/** If-Range: a range of another version than the client has would be of no use. Weak tags never match. */
function isUnchanged(header: string | null, { etag, modified }: Representation): boolean {
  if (header === null) return true
  if (header.startsWith('"') || header.startsWith('W/')) return header === `"${etag}"`
  return Date.parse(header) === Math.floor(modified.getTime() / 1000) * 1000
}

function rangeOf(header: string, size: number): Wanted {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header) ?? []
  if (first === '' && last === '') return { kind: 'whole' }
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  // A range that ends before it begins is no range; the header then counts for nothing.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return { kind: 'whole' }
  return start < size && start <= end ? { kind: 'part', range: { start, end } } : { kind: 'unsatisfiable' }
}
