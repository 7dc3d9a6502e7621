import type { Schema } from '../openapi/schema.ts'

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Converts an OpenAPI 3.0 schema to JSON Schema, as AsyncAPI 3 requires: null is a type, examples are a list, and a
 * reference needs no allOf.
 */
export function jsonSchema(from: Schema): Schema {
  const { nullable, example, format, properties, items, additionalProperties, allOf, ...rest } = from
  const [single] = Array.isArray(allOf) && allOf.length === 1 ? (allOf as Schema[]) : []
  const schema: Schema = {
    ...rest,
    ...(single ? jsonSchema(single) : {}),
    // Formats of number widths exist only in OpenAPI.
    ...(typeof format === 'string' && !/^(int|double)/.test(format) ? { format } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(isObject(properties) ? { properties: mapped(properties) } : {}),
    ...(isObject(items) ? { items: jsonSchema(items) } : {}),
    ...(additionalProperties === undefined ? {} : { additionalProperties: further(additionalProperties) }),
  }
  return nullable === true ? orNull(schema) : schema
}

const mapped = (properties: Schema): Schema =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, isObject(one) ? jsonSchema(one) : one]))

const further = (value: unknown): unknown => (isObject(value) ? jsonSchema(value) : value)

function orNull(schema: Schema): Schema {
  const { description, $ref, ...rest } = schema
  const described = description === undefined ? {} : { description }
  if ($ref !== undefined) return { ...described, anyOf: [{ $ref }, { type: 'null' }] }
  if (typeof rest['type'] === 'string') return { ...described, ...rest, type: [rest['type'], 'null'] }
  return { ...described, ...rest }
}
