import { matchesEtag } from '../../kernel/base/text.ts'
import type { ByteRange } from '../objects/objects.ts'

/** The stored version of a file. */
type Representation = { etag: string; size: number; modified: Date }

/**
 * What the headers of a download ask for (RFC 9110, sections 13 and 14): the head only, all bytes, one range, or a
 * range outside the file. Several ranges yield the whole file, which the RFC permits.
 */
type ByteSelection = { kind: 'head' | 'whole' | 'unsatisfiable' } | { kind: 'part'; range: ByteRange }

export function selectBytes(headers: Headers, file: Representation): ByteSelection {
  if (isKnown(headers, file) || headers.get('x-http-method') === 'HEAD') return { kind: 'head' }
  const range = headers.get('range')
  if (range === null || !isUnchanged(headers.get('if-range'), file)) return { kind: 'whole' }
  return rangeOf(range, file.size)
}

/** Whether the client has this version, by entity tag or, without one, by date. */
function isKnown(headers: Headers, { etag, modified }: Representation): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) return matchesEtag(tags, `"${etag}"`)
  return Math.floor(modified.getTime() / 1000) * 1000 <= Date.parse(headers.get('if-modified-since') ?? '')
}

/** If-Range: a range only helps a client that has the same version. Weak tags never match. */
function isUnchanged(header: string | null, { etag, modified }: Representation): boolean {
  if (header === null) return true
  if (header.startsWith('"') || header.startsWith('W/')) return header === `"${etag}"`
  return Date.parse(header) === Math.floor(modified.getTime() / 1000) * 1000
}

function rangeOf(header: string, size: number): ByteSelection {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header) ?? []
  if (first === '' && last === '') return { kind: 'whole' }
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  // A range that ends before it begins is invalid, and the header is ignored.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return { kind: 'whole' }
  return start < size && start <= end ? { kind: 'part', range: { start, end } } : { kind: 'unsatisfiable' }
}
