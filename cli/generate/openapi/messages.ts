import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf'
import { json as jsonOption } from '../../../gen/platform/options/v1/options_pb.ts'
import type { Comments } from './comments.ts'
import { constraintsOf, isRequired, valuesOf } from './constraints.ts'
import { exampleId, orNull, refTo, type Schema, withoutEmpty } from './schema.ts'
import { isMask, isSecretText, ofScalar, ofWellKnown } from './values.ts'

/** Requests are strict and may omit fields; answers print every field. */
export type Direction = 'request' | 'answer'

/** Builds schemas of messages and collects those that others refer to. */
export type SchemaBook = {
  /** Schema of one field, without its description. */
  field(field: DescField, direction: Direction): Schema
  /** Reference to the schema of a message. */
  message(desc: DescMessage, direction: Direction): Schema
  /** An object with these fields of a message. */
  object(fields: DescField[], direction: Direction): Schema
  /** Everything referred to so far, by name. */
  components(): Record<string, Schema>
}

const idPattern = '^[0-9a-f]{24}$'

/**
 * @param sharedMessages messages in both requests and answers, which need two schemas
 * @param open messages of requests whose unknown fields are ignored
 */
export function schemaBook(
  comments: Comments,
  sharedMessages: ReadonlySet<DescMessage>,
  open: ReadonlySet<DescMessage> = new Set(),
): SchemaBook {
  const schemaByName = new Map<string, { desc: DescMessage; schema: Schema }>()

  function message(desc: DescMessage, direction: Direction): Schema {
    const name = desc.name + (direction === 'request' && sharedMessages.has(desc) ? 'Input' : '')
    const existing = schemaByName.get(name)
    if (existing && existing.desc !== desc) throw new Error(`${name} is ${existing.desc.typeName} and ${desc.typeName}`)
    if (!existing) {
      // Stored before its fields are read, so that a recursive type finds itself.
      const schema: Schema = {}
      schemaByName.set(name, { desc, schema })
      Object.assign(schema, withoutEmpty({ description: comments.get(desc.typeName) }), object(desc.fields, direction))
    }
    return refTo('schemas', name)
  }

  function object(fields: DescField[], direction: Direction): Schema {
    const visibleFields = fields.filter(field => !isMask(field))
    const requiredFields = visibleFields.filter(field =>
      direction === 'request' ? isRequired(field) : isAlwaysPrinted(field),
    )
    return withoutEmpty({
      type: 'object',
      required: requiredFields.length > 0 ? requiredFields.map(field => field.jsonName) : undefined,
      properties: Object.fromEntries(visibleFields.map(field => [field.jsonName, property(field, direction)])),
      additionalProperties: direction === 'request' ? isOpen(fields) : undefined,
    })
  }

  /** Whether unknown fields of a body are ignored instead of refused. */
  const isOpen = ([first]: DescField[]): boolean => first === undefined || open.has(first.parent)

  function property(one: DescField, direction: Direction): Schema {
    const description = comments.get(`${one.parent.typeName}.${one.name}`)
    const isKept = direction === 'request' && description?.includes('cannot be cleared')
    const isCleared = direction === 'answer' && /\bnull when\b/.test(description ?? '')
    const schema = withoutEmpty({ description, ...field(one, direction) })
    return isCleared || (!isKept && canBeNull(one, direction)) ? orNull(schema) : schema
  }

  function field(one: DescField, direction: Direction): Schema {
    const rules = direction === 'request' ? constraintsOf(one) : valuesOf(one)
    if (one.fieldKind === 'list') {
      const item = single(one, one.listKind === 'message' ? one.message : undefined, direction)
      return { type: 'array', ...rules, items: { ...item, ...(rules['items'] as Schema | undefined) } }
    }
    if (one.fieldKind === 'map') {
      const item = single(one, one.mapKind === 'message' ? one.message : undefined, direction)
      const values = { ...item, ...(rules['additionalProperties'] as Schema | undefined) }
      return { type: 'object', ...rules, additionalProperties: values }
    }
    const schema = { ...single(one, one.fieldKind === 'message' ? one.message : undefined, direction), ...rules }
    if (schema['pattern'] === idPattern) schema['examples'] = [exampleId]
    if (direction === 'request' && isSecretText(one)) schema['format'] ??= 'password'
    return schema
  }

  function single(one: DescField, desc: DescMessage | undefined, direction: Direction): Schema {
    if (desc) return ofWellKnown(desc) ?? message(desc, direction)
    if (one.enum) return { type: 'string', enum: one.enum.values.map(value => value.name) }
    return ofScalar(one)
  }

  const components = () =>
    Object.fromEntries([...schemaByName].toSorted(byName).map(([name, { schema }]) => [name, schema]))
  return { field, message, object, components }
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

/** The platform's rule (services/kernel/json): only parts of a oneof, and fields with the option, are left out. */
const isAlwaysPrinted = (field: DescField): boolean => !field.oneof && !getOption(field, jsonOption).omitAbsent

function canBeNull(field: DescField, direction: Direction): boolean {
  const hasPresence = field.fieldKind === 'message' || field.presence === 1 /* explicit */
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return false
  return direction === 'request' ? hasPresence && !isRequired(field) : hasPresence && isAlwaysPrinted(field)
}

/** A message and all messages in it. */
export function reachedFrom(desc: DescMessage, reached = new Set<DescMessage>()): Set<DescMessage> {
  if (reached.has(desc)) return reached
  reached.add(desc)
  for (const field of desc.fields) if (field.message) reachedFrom(field.message, reached)
  return reached
}
