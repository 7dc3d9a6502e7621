import { isObject } from '../../services/kernel/json/decode.ts'

type Fields = Record<string, unknown>

/**
 * An OpenAPI 3.1 document of the platform in version 3.0.0, which the contract names: null is a keyword instead of a
 * type, a schema has one example, and a reference has nothing beside it.
 */
export const asVersion30 = (document: Fields): Fields => ({ ...(convert(document) as Fields), openapi: '3.0.0' })

function convert(from: unknown): unknown {
  if (Array.isArray(from)) return from.map(convert)
  if (!isObject(from)) return from
  const fields = Object.fromEntries(Object.entries(from).map(([key, value]) => [key, convert(value)]))
  const { type, anyOf, $ref, examples, ...rest } = fields
  if (Array.isArray(anyOf)) return { ...rest, type: 'object', nullable: true, allOf: [anyOf[0]] as unknown[] }
  if (typeof $ref === 'string' && Object.keys(fields).length > 1) return { ...rest, allOf: [{ $ref }] }
  return {
    ...fields,
    ...(Array.isArray(type) ? { type: type[0] as unknown, nullable: true } : {}),
    ...(Array.isArray(examples) ? { examples: undefined, example: examples[0] as unknown } : {}),
  }
}
