import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { listeners } from '../../../edge/config.ts'
import type { RestService } from '../../../gen/catalogue.ts'

type Fields = { [key: string]: unknown }
type Content = { content?: Record<string, { schema: Fields; example?: unknown; examples?: Record<string, Fields> }> }
export type Operation = {
  operationId: string
  parameters?: { name: string; in: string; required?: boolean; schema: Fields; example?: unknown }[]
  requestBody?: Content
  security: Record<string, string[]>[]
  responses: Record<string, Content & { $ref?: string }>
  'x-edge'?: boolean
  'x-callers'?: string[]
}
export type Document = Fields & {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, Fields & Content>>
}

export const documentedServices = Object.keys(listeners) as RestService[]

/** The committed OpenAPI document of a service. */
export const openApi = (name: RestService): Document =>
  JSON.parse(readFileSync(new URL(`../../../gen/openapi/${name}.json`, import.meta.url), 'utf8')) as Document

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/**
 * The schemas of a document with closed objects, so that an undocumented field in an answer is a mistake, too.
 */
function closeSchema(from: unknown): unknown {
  if (Array.isArray(from)) return from.map(closeSchema)
  if (!isObject(from)) return from
  const schema = Object.fromEntries(Object.entries(from).map(([key, one]) => [key, closeSchema(one)]))
  const isOpen = isObject(schema['properties']) && schema['additionalProperties'] === undefined
  return isOpen ? { ...schema, additionalProperties: false } : schema
}

const integerFormat = (lowest: number, highest: number) => ({
  type: 'number' as const,
  validate: (value: number) => Number.isInteger(value) && value >= lowest && value <= highest,
})

/** Formats are checked in the platform's form: times in UTC with milliseconds. */
const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  email: /^[^\s@]+@[^\s@]+$/,
  int32: integerFormat(-(2 ** 31), 2 ** 31 - 1),
  int64: integerFormat(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  double: { type: 'number' as const, validate: Number.isFinite },
  byte: /^[A-Za-z0-9+/]*={0,2}$/,
  binary: true as const,
  password: true as const,
}

export type SchemaOf = (...pointer: (string | number)[]) => ValidateFunction

/** Validators of a document's schemas, by their path in it. */
export function validatorsOf(document: Document): SchemaOf {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  ajv.addSchema(closeSchema(document) as Fields, 'document')
  return (...pointer) => {
    const path = pointer.map(part => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.getSchema(`document#/${path.join('/')}`)
    if (!validate) throw new Error(`no schema at ${pointer.join(' ')}`)
    return validate
  }
}

/** A validator's messages about a value, one line per mistake. */
export function mistakes(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  )
}
