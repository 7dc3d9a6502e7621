import type { Request } from 'express'

export type JsonFields = { [name: string]: unknown }

const maxDepth = 32

/** True for a plain object, as from JSON or a form. */
export const isFields = (value: unknown): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for a string of 1 to `max` characters. */
export const isText = (value: unknown, max = 10_000): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= max

/** A string or number as text, else empty: String() throws for some objects. */
export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** A loose check of an e-mail address that passes whatever every provider accepts. */
export const isAddress = (value: unknown): value is string =>
  isText(value, 320) && /^[^\s@<>"]+@[^\s@<>"]+$/.test(value)

/** The request's body as text; the body parser limits its size. */
export const bodyText = (req: Request): string => (Buffer.isBuffer(req.body) ? req.body.toString('utf8') : '')

/** Parses a JSON object. Undefined for anything else, and for nesting deeper than 32. */
export function parseJson(text: string): JsonFields | undefined {
  if (nesting(text) > maxDepth) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

// Counted before parsing, because deeper values can't be serialised into the records.
function nesting(text: string): number {
  let depth = 0
  let maxNesting = 0
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isQuoted) {
      if (code === 92) i++
      else if (code === 34) isQuoted = false
    } else if (code === 34) isQuoted = true
    else if (code === 91 || code === 123) maxNesting = Math.max(maxNesting, ++depth)
    else if (code === 93 || code === 125) depth--
  }
  return maxNesting
}

/**
 * Parses a form body or query with bracketed names: `items[0][price]=x&expand[]=y` becomes `{items: [{price: 'x'}],
 * expand: ['y']}`. Undefined when it is too large, too deep or contradictory.
 */
export function parseForm(text: string): JsonFields | undefined {
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > 500) return undefined
  const root: JsonFields = Object.create(null)
  for (const [name, value] of pairs) {
    const keys = [name.split('[', 1)[0] ?? '', ...[...name.matchAll(/\[([^[\]]*)\]/g)].map(match => match[1] ?? '')]
    if (keys.length > 8 || !setField(root, keys, value)) return undefined
  }
  return indexedToArrays(root) as JsonFields
}

function setField(node: JsonFields, keys: string[], value: string): boolean {
  const [first = '', ...rest] = keys
  const key = first === '' ? String(Object.keys(node).length) : first
  if (rest.length === 0) {
    if (key in node) return false
    node[key] = value
    return true
  }
  node[key] ??= Object.create(null)
  const child = node[key]
  return isFields(child) && setField(child, rest, value)
}

// Objects with the keys 0, 1, 2 … become arrays.
function indexedToArrays(value: unknown): unknown {
  if (!isFields(value)) return value
  const entries = Object.entries(value)
  if (entries.length > 0 && entries.every(([key], i) => key === String(i)))
    return entries.map(([, child]) => indexedToArrays(child))
  const result: JsonFields = Object.create(null)
  for (const [key, child] of entries) result[key] = indexedToArrays(child)
  return result
}

/** The credential of an Authorization header with one of these schemes; undefined otherwise. */
export function credential(req: Request, ...schemes: string[]): string | undefined {
  const [scheme = '', value = ''] = (req.headers.authorization ?? '').split(/ +/, 2)
  return schemes.some(acceptedScheme => acceptedScheme.toLowerCase() === scheme.toLowerCase()) && value
    ? value
    : undefined
}

/** Any key is accepted unless it contains `invalid`, so that refusals can be tested. */
export const keyAccepted = (key: string | undefined): key is string =>
  key !== undefined && key.length >= 3 && key.length <= 4096 && !key.includes('invalid')

/** A whole number from a query within the bounds, else the default. */
export const boundedInteger = (value: unknown, fallback: number, min: number, max: number): number =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Math.min(max, Math.max(min, Number(value))) : fallback
