import { type DescField, ScalarType } from '@bufbuild/protobuf'
import { TimestampSchema } from '@bufbuild/protobuf/wkt'
import type { Response } from 'express'
import { ValidationError, type Violation } from '../../services/kernel/base/errors.ts'
import type { Route } from './routes.ts'

const ignoredHeader = 'X-Ignored-Parameters'
/** Limits of the header's length, whatever the query holds. */
const [maxNames, maxNameLength] = [20, 64]

/** The fields that a query may set: none where the body does, and never those of the path. */
function parametersOf({ hasBody, method, segments }: Route): Map<string, DescField> {
  const settableFields = hasBody ? [] : method.input.fields.filter(field => !segments.includes(field))
  return new Map(settableFields.map(field => [field.jsonName, field]))
}

/** Names the query's unknown parameters in a response header: cache-busters, campaigns, typing errors. */
export function nameIgnored(route: Route, query: string, response: Response): void {
  if (!query) return
  const parameters = parametersOf(route)
  const ignoredNames = new Set([...new URLSearchParams(query).keys()].filter(key => !parameters.has(key)))
  if (ignoredNames.size === 0) return
  const names = [...ignoredNames]
    .slice(0, maxNames)
    .map(name => encodeURIComponent(name.slice(0, maxNameLength).toWellFormed()))
  response.setHeader(ignoredHeader, names.join(', '))
}

/**
 * The query string as a JSON object; each text converted by its field's type. Unknown parameters are ignored. A
 * ValidationError names each parameter given twice.
 */
export function queryObject(route: Route, query: string): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  if (!query) return json
  const violations: Violation[] = []
  const fields = parametersOf(route)
  for (const [key, text] of new URLSearchParams(query)) {
    const field = fields.get(key)
    if (!field) continue
    if (field.fieldKind === 'list') json[key] = [...((json[key] as unknown[] | undefined) ?? []), text]
    else if (Object.hasOwn(json, key)) violations.push({ path: key, message: 'must be given once', rule: 'duplicate' })
    else json[key] = valueOf(field, text)
  }
  if (violations.length > 0) throw new ValidationError(violations)
  return json
}

const booleans = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const textTypes: ReadonlySet<ScalarType> = new Set([ScalarType.STRING, ScalarType.BYTES])
/** The + of a zone, which a query reads as a space. */
const unescapedPlus = / (?=\d\d:\d\d$)/

/** A query text converted by its field's type. One that doesn't convert stays a text, which the decoder refuses. */
function valueOf(field: DescField, text: string): unknown {
  if (field.scalar === ScalarType.BOOL) return booleans.get(text.toLowerCase()) ?? text
  if (field.message?.typeName === TimestampSchema.typeName) return text.replace(unescapedPlus, '+')
  const isNumber = field.scalar !== undefined && !textTypes.has(field.scalar)
  return isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
}
