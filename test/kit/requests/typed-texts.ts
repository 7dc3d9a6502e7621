import { type DescField, type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf'
import { type FieldRules, field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { json as jsonOption, multiline } from '../../../gen/platform/options/v1/options_pb.ts'
import { minimalJson, valueOf } from './minimal-body.ts'

/** A text that people type, somewhere in a request. */
export type TypedText = {
  field: DescField
  /** As a violation names it: options[0]. */
  path: string
  /** Top-level field of the request that holds the text. */
  top: DescField
  /** Value of the top-level field with this text in its place. */
  valueWith(text: string): unknown
  isRequired: boolean
  isMultiline: boolean
}

const stringRules = (rules: FieldRules | undefined) => (rules?.type.case === 'string' ? rules.type.value : undefined)

function itemRules(field: DescField): FieldRules | undefined {
  const rules = getOption(field, rulesOption)
  if (rules.type.case === 'repeated') return rules.type.value.items
  return rules.type.case === 'map' ? rules.type.value.values : rules
}

function isTyped(field: DescField): boolean {
  const rules = stringRules(itemRules(field))
  const hasForm = rules && (rules.pattern !== '' || rules.in.length > 0 || rules.wellKnown.case !== undefined)
  return field.scalar === ScalarType.STRING && !hasForm && !getOption(field, jsonOption).secret
}

/** Every text that people type into a request, nested messages, lists and maps included; rows of bulk calls apart. */
export function typedTextsOf(desc: DescMessage): TypedText[] {
  return desc.fields.flatMap((field): TypedText[] => {
    if (getOption(field, jsonOption).rows) return []
    const wrap = (value: unknown, key = 'key'): unknown => {
      if (field.fieldKind === 'map') return { [key]: value }
      return field.fieldKind === 'list' ? [value, ...(valueOf(field) as unknown[]).slice(1)] : value
    }
    const suffix = field.fieldKind === 'map' ? '.key' : field.fieldKind === 'list' ? '[0]' : ''
    const path = `${field.jsonName}${suffix}`
    const { message } = field
    if (message) {
      if (message.typeName.startsWith('google.protobuf.')) return []
      return typedTextsOf(message).map(inner => ({
        ...inner,
        path: `${path}.${inner.path}`,
        top: field,
        valueWith: (text: string) => wrap({ ...minimalJson(message), [inner.top.jsonName]: inner.valueWith(text) }),
      }))
    }
    if (!isTyped(field)) return []
    const rules = itemRules(field)
    const isRequired = rules?.required === true || (stringRules(rules)?.minLen ?? 0n) > 0n
    const isMultiline = getOption(field, multiline)
    return [{ field, path, top: field, valueWith: (text: string) => wrap(text), isRequired, isMultiline }]
  })
}
