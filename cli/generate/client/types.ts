import type { Schema } from '../openapi/schema.ts'

type Properties = Record<string, Schema>

/** The TypeScript type of a schema in the platform's OpenAPI documents. */
export function typeOf(schema: Schema): string {
  const type = plainType(schema)
  return schema['nullable'] ? `${type} | null` : type
}

function plainType(schema: Schema): string {
  const [single] = (schema['allOf'] as Schema[] | undefined) ?? []
  if (single) return plainType(single)
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? 'unknown'
  if (schema['enum']) return (schema['enum'] as unknown[]).map(value => JSON.stringify(value)).join(' | ')
  if (schema['format'] === 'binary') return 'Blob'
  switch (schema['type']) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return `(${typeOf(schema['items'] as Schema)})[]`
    case 'object':
      return objectType(schema)
    default:
      return 'unknown'
  }
}

function objectType(schema: Schema): string {
  const properties = schema['properties'] as Properties | undefined
  if (properties) return membersType(properties, new Set(schema['required'] as string[] | undefined))
  const values = schema['additionalProperties']
  return `Record<string, ${typeof values === 'object' && values ? typeOf(values as Schema) : 'unknown'}>`
}

/** `{ name: type; … }` with the description of each member above it. */
export function membersType(properties: Properties, required: ReadonlySet<string>): string {
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${remark(schema['description'])}${JSON.stringify(name)}${required.has(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `{\n${lines.join('\n')}\n}`
}

/** A text as a comment above the next line. */
export const remark = (text: unknown): string =>
  typeof text === 'string' && text ? `/** ${text.replaceAll('*/', '* /').replaceAll('\n', '\n * ')} */\n` : ''
