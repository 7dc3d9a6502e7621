import { Ajv2020 } from 'ajv/dist/2020.js'
import data from './examples.json' with { type: 'json' }
import { exampleId, isNullable, plainType, type Schema, targetOf } from './schema.ts'

type Components = Record<string, Record<string, Schema>>
type Content = Record<string, Schema>
type Side = 'request' | 'answer'

/**
 * Example values by field name. If a schema refuses the first value, the next one is tried. Times in requests are far
 * in the future, so that the examples stay valid.
 */
const values: Record<string, unknown[]> = data.values
/** Optional fields that example requests show beside the required ones; others would contradict each other. */
const shownInRequests = new Set(data.shownInRequests)
/** Fields of single operations that differ from the general values. Null omits one. */
const requests: Record<string, Record<string, unknown>> = data.requests
/** The same for answers: fields of the record, or of the listed ones. */
const answers: Record<string, Record<string, unknown>> = data.answers

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const fits = (schema: Schema, value: unknown): boolean => ajv.validate(schema, value)

/**
 * Adds examples of parameters, request and success to every operation, built from the schemas and so from the protos.
 * Those of failures are in the shared responses. `test/contract/openapi-examples.test.ts` executes them.
 */
export function withExamples(service: string, paths: Record<string, Schema>, components: Components): void {
  for (const path of Object.values(paths))
    for (const operation of Object.values(path) as Schema[]) {
      const id = `${service}.${String(operation['operationId'])}`
      const requestFields = requests[id] ?? {}
      const make = maker(components, requestFields, answers[id])
      for (const parameter of (operation['parameters'] ?? []) as Schema[]) {
        const { name, schema, required } = parameter as { name: string; schema: Schema; required?: boolean }
        if (required && parameter['in'] !== 'header')
          parameter['example'] = requestFields[name] ?? make(schema, name, 'request')
      }
      const body = operation['requestBody'] as { content: Content } | undefined
      for (const media of Object.values(body?.content ?? {}))
        media['example'] ??= make(media['schema'] as Schema, '', 'request')
      for (const [status, response] of Object.entries((operation['responses'] ?? {}) as Record<string, Schema>)) {
        const json = (response['content'] as Content | undefined)?.['application/json']
        if (status.startsWith('2') && json) json['example'] = make(json['schema'] as Schema, '', 'answer')
      }
    }
}

/**
 * Builds values from schemas. A recursive type ends at its first repetition, in an empty list or null.
 * @param own fields of requests that differ from the general value; null omits one
 * @param answered fields of the answered record, or of the listed ones, that differ
 */
export function maker(
  { schemas = {} }: Components,
  requestFields: Record<string, unknown> = {},
  answerFields: Record<string, unknown> = {},
) {
  const above: string[] = []

  function make(schema: Schema, name: string, side: Side): unknown {
    const target = targetOf(schema)
    if (target !== undefined) return ofReference(target.split('/').at(-1) ?? '', schema, name, side)
    if (plainType(schema) === 'object') return ofObject(schema, side, name)
    if (plainType(schema) === 'array') return ofList(schema, name, side)
    return ofScalar(schema, name, side)
  }

  function ofReference(target: string, schema: Schema, name: string, side: Side): unknown {
    if (above.includes(target)) return isNullable(schema) ? null : undefined
    above.push(target)
    try {
      return make(schemas[target] ?? {}, name, side)
    } finally {
      above.pop()
    }
  }

  function ofObject(schema: Schema, side: Side, name: string): unknown {
    const {
      properties,
      required = [],
      additionalProperties,
    } = schema as {
      properties?: Record<string, Schema>
      required?: string[]
      additionalProperties?: unknown
    }
    if (!properties) {
      const example = values[name]?.find(value => typeof value === 'object' && !Array.isArray(value))
      if (example || typeof additionalProperties !== 'object') return example ?? {}
      const value = make(additionalProperties as Schema, name, side)
      return { page: value }
    }
    const isRecord = name === '' || name === 'data'
    const overrides = side === 'request' ? requestFields : isRecord ? answerFields : {}
    const isShown = (key: string) =>
      side === 'request' && key in overrides
        ? overrides[key] !== null
        : side === 'answer' || required.includes(key) || shownInRequests.has(key)
    let keys = Object.keys(properties).filter(isShown)
    // A change without fields is refused.
    if (keys.length === 0 && schema['minProperties']) keys = Object.keys(properties).slice(0, 1)
    const entries = keys.map(key => {
      if (key in overrides) return [key, overrides[key]]
      const special = values[`${name}.${key}`]
      return [key, special ? special[0] : make(properties[key] ?? {}, key, side)]
    })
    // The page of an example is the last one, which has no cursor.
    return Object.fromEntries(entries.filter(([key, value]) => value !== undefined && key !== 'nextCursor')) as unknown
  }

  function ofList(schema: Schema, name: string, side: Side): unknown {
    const isOfTexts = plainType(schema['items'] as Schema) === 'string'
    const example = isOfTexts ? values[name]?.find(Array.isArray) : undefined
    if (example) return example
    const item = make(schema['items'] as Schema, name.replace(/Ids$/, 'Id').replace(/s$/, ''), side)
    if (item === undefined) return []
    const minItems = Number(schema['minItems'] ?? 1)
    return Array.from({ length: Math.max(minItems, 1) }, (_, index) =>
      index > 0 && typeof item === 'string' ? `${item} ${index + 1}` : item,
    )
  }

  function ofScalar(schema: Schema, name: string, side: Side): unknown {
    if (schema['examples'] !== undefined) return (schema['examples'] as unknown[])[0]
    const isId = /^id$|Ids?$|^(superior|deleted|workspace|groupId)$/.test(name) && plainType(schema) === 'string'
    const choices = [
      ...(values[name] ?? []),
      ...(isId ? [exampleId] : []),
      ...((schema['enum'] as unknown[] | undefined) ?? []),
      ...(side === 'request' ? generals.request : generals.answer)(schema),
    ]
    return choices.find(value => fits(schema, value)) ?? null
  }
  return make
}

/** The value for an unknown field name, by its type. */
const general =
  (time: string) =>
  (schema: Schema): unknown[] => {
    const { format, minimum } = schema
    const type = plainType(schema)
    if (format === 'date-time') return [time]
    if (format === 'email') return ['ada@hotel.example']
    if (type === 'boolean') return [true]
    if (type === 'number' || type === 'integer') return [1, Number(minimum ?? 0)]
    return ['text', 'https://hotel.example/picture.png', '10:00', '#1E40AF', exampleId, '1', 'EUR', '']
  }
const generals = { request: general('2099-12-31T09:00:00.000Z'), answer: general('2026-11-21T09:30:00.000Z') }
