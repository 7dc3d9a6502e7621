import { type DescField, type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf'
import { type FieldRules, field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import fc from 'fast-check'
import { json as jsonOption } from '../../../gen/platform/options/v1/options_pb.ts'

/** A test's value for a field, by its proto name; undefined leaves the choice to the rules. */
export type ValueChoice = (field: DescField) => string | undefined

const idPattern = /^\^\(?\[0-9a-f\]\{24\}/

/** The minimal JSON object that satisfies a message's constraints: required fields only, with the shortest values. */
export function minimalJson(
  desc: DescMessage,
  choose: ValueChoice = () => undefined,
  skip: ReadonlySet<string> = new Set(),
): Record<string, unknown> {
  const fields = desc.fields.filter(field => !skip.has(field.name) && !isMask(field))
  const entries = fields.filter(isRequired).map(field => [field.jsonName, valueOf(field, choose)])
  return Object.fromEntries(entries) as Record<string, unknown>
}

const isMask = (field: DescField): boolean => field.message?.typeName === 'google.protobuf.FieldMask'

/** Whether the field is a record id of 24 hex digits. */
export function isId(field: DescField): boolean {
  const { type } = getOption(field, rulesOption)
  return type.case === 'string' && idPattern.test(type.value.pattern)
}

/** Whether the field is a code of six digits, which may be sent as a number. */
export function isCode(field: DescField): boolean {
  const { type } = getOption(field, rulesOption)
  return type.case === 'string' && type.value.pattern === '^[0-9]{6}$'
}

/** Whether the field is a text that may be sent as a number. */
export const takesNumber = (field: DescField): boolean => isCode(field) || getOption(field, jsonOption).takesNumber

/** Whether a message without the field is refused. */
export function isRequired(field: DescField): boolean {
  const rules = getOption(field, rulesOption)
  if (rules.required) return true
  if (field.fieldKind === 'list') return rules.type.case === 'repeated' && rules.type.value.minItems > 0n
  if (field.fieldKind === 'map') return rules.type.case === 'map' && rules.type.value.minPairs > 0n
  // Fields with presence are validated only if set; others always have a value, if only zero.
  return field.fieldKind === 'scalar' && field.presence !== 1 && !zeroFits(field, rules)
}

function zeroFits({ scalar }: DescField, { type }: FieldRules): boolean {
  if (scalar === ScalarType.STRING) return type.case !== 'string' || fits('', type.value)
  if (type.case !== 'int32' && type.case !== 'uint32' && type.case !== 'double') return true
  const { in: values, greaterThan } = type.value
  if (values.length > 0) return (values as number[]).includes(0)
  if (greaterThan.case === 'gte') return greaterThan.value <= 0
  return greaterThan.case === 'gt' ? greaterThan.value < 0 : true
}

type StringRules = Extract<FieldRules['type'], { case: 'string' }>['value']

function fits(text: string, { minLen, maxLen, len, pattern, in: values, wellKnown }: StringRules): boolean {
  const { length } = [...text]
  if (length < minLen || (maxLen > 0n && length > maxLen) || (len > 0n && BigInt(length) !== len)) return false
  if (pattern && !new RegExp(pattern, 'u').test(text)) return false
  if (values.length > 0 && !values.includes(text)) return false
  return wellKnown.case === undefined || text !== ''
}

/** A value of the field that its rules accept. */
export function valueOf(field: DescField, choose: ValueChoice = () => undefined): unknown {
  const rules = getOption(field, rulesOption)
  if (field.fieldKind === 'list') {
    const { minItems, items } = rules.type.case === 'repeated' ? rules.type.value : { minItems: 0n, items: undefined }
    const values = Array.from({ length: Number(minItems) || 1 }, () => single(field, items, choose))
    // Lists of several items need different ones.
    return values.map((value, index) => (index > 0 && typeof value === 'string' ? `${value}${index}` : value))
  }
  if (field.fieldKind === 'map') return {}
  return single(field, rules, choose)
}

function single(field: DescField, rules: FieldRules | undefined, choose: ValueChoice): unknown {
  if (field.message) {
    const { typeName } = field.message
    if (typeName === 'google.protobuf.Timestamp') return new Date(Date.now() + 86_400_000).toISOString()
    return typeName === 'google.protobuf.Struct' ? {} : minimalJson(field.message, choose)
  }
  if (field.scalar === ScalarType.BOOL) return true
  if (field.scalar === ScalarType.STRING) return choose(field) ?? stringFor(field, rules)
  return numberFor(rules)
}

const examples = ['a', 'a1', 'A1b2C3d4', 'a@b.example', 'https://a.example', 'a.b', '10:00', 'fr', 'EUR', '#112233']

function stringFor(field: DescField, rules: FieldRules | undefined): string {
  if (rules?.type.case !== 'string') return 'a'
  const { value } = rules.type
  if (value.const) return value.const
  if (value.in[0] !== undefined) return value.in[0]
  if (value.wellKnown.case === 'email') return 'a@b.example'
  if (value.wellKnown.case === 'uri') return 'https://a.example'
  const example =
    [...examples, 'a'.repeat(Number(value.minLen || value.len))].find(text => fits(text, value)) ??
    fc
      .sample(fc.stringMatching(new RegExp(value.pattern, 'u'), { size: 'medium' }), { numRuns: 200, seed: 7 })
      .find(text => fits(text, value))
  if (example === undefined) throw new Error(`no value found for ${field.parent.typeName}.${field.name}`)
  return example
}

function numberFor(rules: FieldRules | undefined): number {
  const type = rules?.type
  if (type?.case !== 'int32' && type?.case !== 'uint32' && type?.case !== 'double') return 0
  const { in: values, greaterThan, lessThan } = type.value
  if (values[0] !== undefined) return values[0]
  const minimum = greaterThan.case === 'gte' ? greaterThan.value : greaterThan.case === 'gt' ? greaterThan.value + 1 : 0
  return lessThan.case === 'lte' ? Math.min(Math.max(minimum, 1), lessThan.value) : minimum
}
