import { isNullable, plainType, type Schema, targetOf } from '../openapi/schema.ts'

type Properties = Record<string, Schema>

/** The TypeScript type of a schema in the platform's OpenAPI documents. */
export function typeOf(schema: Schema): string {
  const type = withoutNull(schema)
  return isNullable(schema) ? `${type} | null` : type
}

function withoutNull(schema: Schema): string {
  const target = targetOf(schema)
  if (target !== undefined) return target.split('/').at(-1) ?? 'unknown'
  const values = schema['enum'] as unknown[] | undefined
  if (values) return values.flatMap(value => (value === null ? [] : JSON.stringify(value))).join(' | ')
  if (schema['format'] === 'binary') return 'Blob'
  switch (plainType(schema)) {
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
