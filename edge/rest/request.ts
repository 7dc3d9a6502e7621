import { create, type DescField, type Message } from '@bufbuild/protobuf'
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt'
import { invalid } from '../../services/kernel/base/errors.ts'
import { fromJson } from '../../services/kernel/json/decode.ts'
import { queryObject } from './query.ts'
import type { Route } from './routes.ts'

const isMask = (field: DescField): boolean => field.message?.typeName === FieldMaskSchema.typeName

/**
 * Builds a route's request message from path values, query string and parsed body. Throws a ValidationError that names
 * each invalid field.
 * @param query without its question mark
 */
export function requestMessage(route: Route, values: string[], query: string, body: unknown): Message {
  const parameters = route.segments.filter(segment => typeof segment !== 'string')
  const json = route.hasBody ? bodyOf(route, body) : queryObject(route, query)
  const pathNames = new Set(parameters.map(field => field.jsonName))
  const message = fromJson(route.method.input, json, { lockedKeys: pathNames, isOpen: route.isOpen })
  parameters.forEach((field, index) => setPath(message, field, values[index] ?? ''))
  if (route.hasBody) setMask(message, route, json)
  return message
}

function bodyOf({ takesNothing }: Route, body: unknown): unknown {
  return body === undefined || (takesNothing && body === null) ? {} : body
}

function setPath(message: Message, field: DescField, text: string): void {
  let value: string
  try {
    value = decodeURIComponent(text)
  } catch {
    throw invalid(field.jsonName, 'is not a valid path segment', 'type')
  }
  if (value.includes('\0')) throw invalid(field.jsonName, 'must not contain NUL', 'type')
  Object.assign(message, { [field.localName]: value })
}

/** An empty map changes none of its entries; null removes them all. */
const changesNothing = (field: DescField, value: unknown): boolean =>
  field.fieldKind === 'map' && value !== null && Object.keys(value as object).length === 0

/** PATCH semantics: the body's keys are the mask; an absent field is unchanged, null clears it. None changes nothing. */
function setMask(message: Message, route: Route, json: unknown): void {
  const mask = route.method.input.fields.find(isMask)
  if (!mask) return
  const open = route.method.input.fields.filter(field => field !== mask && !route.segments.includes(field))
  const fieldByKey = new Map(open.map(field => [field.jsonName, field]))
  const paths = Object.entries(json as object).flatMap(([key, value]) => {
    const field = fieldByKey.get(key)
    return field && !changesNothing(field, value) ? [field.name] : []
  })
  Object.assign(message, { [mask.localName]: create(FieldMaskSchema, { paths }) })
}
