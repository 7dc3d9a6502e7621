import { create, type DescField, type Message, ScalarType } from '@bufbuild/protobuf'
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt'
import { fromJson } from '../../services/kernel/json/decode.ts'
import { invalid, type Violation, ValidationError } from '../../services/kernel/errors.ts'
import type { Route } from './routes.ts'

/**
 * Builds the request message of a route from path values, query string and parsed body.
 * Throws a ValidationError that names each field at fault.
 * @param query without its question mark
 */
export function requestMessage(route: Route, values: string[], query: string, body: unknown): Message {
  const parameters = route.segments.filter(segment => typeof segment !== 'string')
  const bound = new Set(parameters.map(field => field.jsonName))
  const json = route.hasBody ? bodyOf(body, query) : queryObject(route, query, bound)
  const message = fromJson(route.method.input, json, bound)
  parameters.forEach((field, index) => setPath(message, field, values[index] ?? ''))
  if (route.hasBody) setMask(message, route, json)
  return message
}

function bodyOf(body: unknown, query: string): unknown {
  if (query) throw invalid(query.split('=')[0] ?? 'query', 'is not a query parameter of this route', 'unknown_field')
  return body === undefined ? {} : body
}

function setPath(message: Message, field: DescField, text: string): void {
  let value: string
  try {
    value = decodeURIComponent(text)
  } catch {
    throw invalid(field.jsonName, 'is not a valid path segment', 'type')
  }
  if (value.includes('\0')) throw invalid(field.jsonName, 'must not hold NUL', 'type')
  Object.assign(message, { [field.localName]: value })
}

/** PATCH semantics: the keys that the body names are the mask; absent is untouched, null clears. */
function setMask(message: Message, route: Route, json: unknown): void {
  const mask = route.method.input.fields.find(field => field.message?.typeName === FieldMaskSchema.typeName)
  if (!mask) return
  const names = new Map(route.method.input.fields.map(field => [field.jsonName, field.name]))
  const paths = Object.keys(json as object).map(key => names.get(key) ?? key)
  if (paths.length === 0) throw invalid('body', 'must name at least one field to change', 'required')
  Object.assign(message, { [mask.localName]: create(FieldMaskSchema, { paths }) })
}

/** The query string as the JSON object that it stands for; each text converted by its field's type. */
function queryObject(route: Route, query: string, bound: Set<string>): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  if (!query) return json
  const violations: Violation[] = []
  const fields = new Map(route.method.input.fields.map(field => [field.jsonName, field]))
  for (const [key, text] of new URLSearchParams(query)) {
    const field = bound.has(key) ? undefined : fields.get(key)
    if (!field) violations.push({ path: key, message: 'is not a query parameter of this route', rule: 'unknown_field' })
    else if (field.fieldKind === 'list') json[key] = [...((json[key] as unknown[] | undefined) ?? []), text]
    else if (Object.hasOwn(json, key)) violations.push({ path: key, message: 'must be given once', rule: 'duplicate' })
    else json[key] = valueOf(field, text)
  }
  if (violations.length > 0) throw new ValidationError(violations)
  return json
}

/** A query text by its field's type. What does not convert stays a text, which the decoder then refuses. */
function valueOf(field: DescField, text: string): unknown {
  if (field.scalar === ScalarType.BOOL) return text === 'true' ? true : text === 'false' ? false : text
  const isNumber = field.scalar !== undefined && field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES
  return isNumber && /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text
}
