import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A body that every surface refuses with the same status. Fields are JSON texts, or bytes in their place. */
export type HostileBody = {
  title: string
  status: 400 | 413 | 415
  /** Replaces a text field's value. */
  text?: string | Buffer
  /** Replaces a list field's value. */
  list?: string
  /** Replaces a free object. */
  free?: string
  /** Replaces a time. */
  time?: string
  /** Further members of the object. */
  extra?: string
  /** Compresses the body, on surfaces that allow it. */
  pack?: { encoding: string; bytes: (body: Buffer) => Buffer }
  /** A content type other than JSON, on surfaces that have one. */
  type?: string
}

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const gzip = { encoding: 'gzip', bytes: (body: Buffer) => gzipSync(body) }
const brotli = { encoding: 'br', bytes: (body: Buffer) => brotliCompressSync(body) }

/** Bodies that test/hostile/door.test.ts sends to every surface. */
export const hostileBodies: HostileBody[] = [
  { title: 'a text of 2 MB', status: 413, text: `"${'x'.repeat(2_000_000)}"` },
  { title: 'a gzip bomb of 3 MB', status: 413, text: `"${' '.repeat(3_000_000)}"`, pack: gzip },
  { title: 'a brotli bomb of 3 MB', status: 413, text: `"${' '.repeat(3_000_000)}"`, pack: brotli },
  { title: 'an unknown packing', status: 415, pack: { encoding: 'compress', bytes: body => body } },
  { title: 'utf-16', status: 415, type: 'application/json; charset=utf-16' },
  { title: 'plain text', status: 415, type: 'text/plain' },
  { title: '102 levels', status: 400, text: nested(102) },
  { title: '5,000 levels', status: 400, text: nested(5_000) },
  { title: '20,000 levels', status: 400, text: nested(20_000) },
  { title: 'a lone surrogate', status: 400, text: '"\\ud800"' },
  { title: 'NUL', status: 400, text: '"a\\u0000b"' },
  { title: 'bytes that are no UTF-8', status: 400, text: Buffer.from('"\xff\xfe"', 'latin1') },
  { title: 'no JSON', status: 400, text: '{' },
  { title: 'a number for a text', status: 400, text: '0' },
  { title: 'a list for a text', status: 400, text: '[]' },
  { title: 'an unknown key', status: 400, extra: '"surprise":1' },
  { title: '__proto__ beside the fields', status: 400, extra: '"__proto__":{"isAdmin":true}' },
  { title: 'constructor beside the fields', status: 400, extra: '"constructor":{"prototype":{"isAdmin":true}}' },
  { title: '__proto__ in a free object', status: 400, free: '{"a":{"__proto__":{"isAdmin":true}}}' },
  { title: 'constructor in a free object', status: 400, free: '{"a":{"constructor":{}}}' },
  { title: 'NUL in a free object', status: 400, free: '{"a":["x\\u0000"]}' },
  { title: 'a lone surrogate in a free object', status: 400, free: '{"a":["\\udc00"]}' },
  { title: 'a number that no double holds', status: 400, free: '{"a":1e400}' },
  { title: 'a list of 30,000 empty objects', status: 400, list: `[${'{},'.repeat(29_999)}{}]` },
  { title: 'a list of 1,000 numbers', status: 400, list: `[${'1,'.repeat(999)}1]` },
  { title: 'a time beyond the columns', status: 400, time: '"9999-12-31T23:59:59-12:00"' },
  { title: 'a time before 1970', status: 400, time: '"1969-12-31T23:59:59Z"' },
  {
    title: '1,000 unknown keys',
    status: 400,
    extra: Array.from({ length: 1_000 }, (_, n) => `"${'k'.repeat(20)}${n}":1`).join(),
  },
]
