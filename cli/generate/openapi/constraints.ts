import { type DescField, getOption } from '@bufbuild/protobuf'
import {
  type DoubleRules,
  type FieldRules,
  type Int32Rules,
  type MapRules,
  type RepeatedRules,
  field as rulesOption,
  type StringRules,
} from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { type Schema, withoutEmpty } from './schema.ts'

/** A field's constraints in JSON Schema. */
export const constraintsOf = (field: DescField): Schema => keywords(getOption(field, rulesOption), field.toString())

/** Of the constraints of a field or its items, the listed values: all that answers and events state of them [D558]. */
export function valuesOf(field: DescField): Schema {
  const { enum: values, items } = constraintsOf(field)
  return withoutEmpty({ enum: values, items: items && withoutEmpty({ enum: (items as Schema)['enum'] }) })
}

/** Whether a request without the field is refused. */
export function isRequired(field: DescField): boolean {
  const rules = getOption(field, rulesOption)
  if (rules.required) return true
  const hasPresence = field.fieldKind === 'message' || field.presence === 1 /* explicit */
  return !hasPresence && refusesZero(keywords(rules, field.toString()))
}

/** An absent field without presence is its zero value, to which the rules apply. */
function refusesZero(schema: Schema): boolean {
  const { minLength = 0, minItems = 0, minimum = 0, maximum = 0, format, pattern, enum: values } = schema
  if (Number(minLength) > 0 || Number(minItems) > 0 || Number(minimum) > 0 || Number(maximum) < 0) return true
  if (format === 'email' || (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(''))) return true
  return Array.isArray(values) && !values.includes('')
}

function keywords({ type }: FieldRules, place: string): Schema {
  switch (type.case) {
    case undefined:
    // "In the future" depends on the clock; only the comment can state it.
    case 'timestamp':
    case 'bytes':
      return {}
    case 'string':
      return ofString(type.value, place)
    case 'int32':
      return ofNumber(type.value, place, 0x7fffffff)
    case 'double':
      return ofNumber(type.value, place)
    case 'repeated':
      return ofList(type.value, place)
    case 'map':
      return ofMap(type.value, place)
    default:
      throw new Error(`${place}: no keyword for constraints of ${type.case}`)
  }
}

function ofString(rules: StringRules, place: string): Schema {
  const { minLen, maxLen, maxBytes, pattern, in: values, wellKnown } = rules
  onlyKnown(rules, place, ['minLen', 'maxLen', 'maxBytes', 'pattern', 'in', 'wellKnown'])
  if (wellKnown.case !== undefined && wellKnown.case !== 'email')
    throw new Error(`${place}: no format for ${wellKnown.case}`)
  return withoutEmpty({
    format: wellKnown.case,
    minLength: Number(minLen) || undefined,
    // A text has no more characters than bytes.
    maxLength: Number(maxLen) || Number(maxBytes) || undefined,
    pattern,
    enum: values.length > 0 ? values : undefined,
  })
}

function ofNumber(rules: Int32Rules | DoubleRules, place: string, largest?: number): Schema {
  onlyKnown(rules, place, ['lessThan', 'greaterThan'])
  const { lessThan, greaterThan } = rules
  if (![undefined, 'lte'].includes(lessThan.case) || ![undefined, 'gte'].includes(greaterThan.case))
    throw new Error(`${place}: bounds are lte and gte`)
  return withoutEmpty({ minimum: greaterThan.value, maximum: lessThan.value ?? largest })
}

function ofList(rules: RepeatedRules, place: string): Schema {
  onlyKnown(rules, place, ['minItems', 'maxItems', 'unique', 'items'])
  return withoutEmpty({
    minItems: Number(rules.minItems) || undefined,
    maxItems: Number(rules.maxItems) || undefined,
    uniqueItems: rules.unique || undefined,
    items: rules.items ? keywords(rules.items, place) : undefined,
  })
}

/** OpenAPI 3.0 can't constrain keys; only the comment can state their rule. */
function ofMap(rules: MapRules, place: string): Schema {
  onlyKnown(rules, place, ['maxPairs', 'keys', 'values'])
  return withoutEmpty({
    maxProperties: Number(rules.maxPairs) || undefined,
    additionalProperties: rules.values ? keywords(rules.values, place) : undefined,
  })
}

/** Throws on an unsupported rule, which the documents would otherwise silently omit. */
function onlyKnown(rules: object, place: string, names: string[]): void {
  for (const [name, value] of Object.entries(rules)) {
    const empty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    if (name !== '$typeName' && name !== '$unknown' && !empty && !names.includes(name))
      throw new Error(`${place}: no keyword for the rule ${name}`)
  }
}
