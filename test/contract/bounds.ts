import { type DescField, type DescMessage, getOption } from '@bufbuild/protobuf'
import { type FieldRules, field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'

// Messages whose size the edge bounds as a whole: body limit and depth limit.
const free = new Set([
  'google.protobuf.Struct',
  'google.protobuf.Value',
  'google.protobuf.ListValue',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  'google.protobuf.FieldMask',
  'google.protobuf.Empty',
])

/** Paths of all fields in a message, nested ones included, that have no bound. */
export function unbounded(message: DescMessage, visitedTypes: Set<string> = new Set()): string[] {
  if (free.has(message.typeName) || visitedTypes.has(message.typeName)) return []
  visitedTypes.add(message.typeName)
  return message.fields.flatMap(field => [
    ...problems(field).map(problem => `${message.typeName}.${field.name}: ${problem}`),
    ...(field.message ? unbounded(field.message, visitedTypes) : []),
  ])
}

/** Paths of the fields in a message, nested ones included, that hold ids and accept other text. */
export function idsWithoutPattern(message: DescMessage, visitedTypes: Set<string>): string[] {
  if (visitedTypes.has(message.typeName)) return []
  visitedTypes.add(message.typeName)
  return message.fields.flatMap(field => {
    const { type } = getOption(field, rulesOption)
    const rules = type.case === 'repeated' ? type.value.items?.type : type
    const isText = field.fieldKind !== 'map' && field.scalar === string && /(?:^|_)ids?$/.test(field.name)
    const isHeld = rules?.case === 'string' && (rules.value.pattern || rules.value.in.length > 0)
    return [
      ...(isText && !isHeld ? [`${message.typeName}.${field.name}`] : []),
      ...(field.message ? idsWithoutPattern(field.message, visitedTypes) : []),
    ]
  })
}

function problems(field: DescField): string[] {
  const rules = getOption(field, rulesOption)
  if (field.fieldKind === 'list') {
    if (rules.type.case !== 'repeated' || rules.type.value.maxItems === 0n) return ['max_items is missing']
    return field.listKind === 'scalar' ? scalar(field.scalar, rules.type.value.items, 'items: ') : []
  }
  if (field.fieldKind === 'map') {
    if (rules.type.case !== 'map' || rules.type.value.maxPairs === 0n) return ['max_pairs is missing']
    const { keys, values } = rules.type.value
    return [
      ...scalar(field.mapKey, keys, 'keys: '),
      ...(field.mapKind === 'scalar' ? scalar(field.scalar, values, 'values: ') : []),
    ]
  }
  return field.fieldKind === 'scalar' ? scalar(field.scalar, rules, '') : []
}

// Type numbers of descriptor.proto that need no bound: bool, and bytes (chunks of a stream).
const boolean = 8
const string = 9
const bytes = 12

function scalar(type: number, rules: FieldRules | undefined, prefix: string): string[] {
  if (type === boolean || type === bytes) return []
  const bounded = rules && (type === string ? boundedString(rules) : boundedNumber(rules))
  return bounded ? [] : [`${prefix}${type === string ? 'no length, pattern or list of values' : 'no range'}`]
}

function boundedString({ type }: FieldRules): boolean {
  if (type.case !== 'string') return false
  const { len, maxLen, maxBytes, pattern, in: values, const: constant } = type.value
  return len > 0n || maxLen > 0n || maxBytes > 0n || values.length > 0 || constant !== '' || finite(pattern)
}

/** Whether a pattern limits its text's length: anchored, and without `*`, `+` or `{n,}`. */
function finite(pattern: string): boolean {
  const bare = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
  return /^\^.*\$$/.test(bare) && !/[*+]|\{\d+,\}/.test(bare)
}

function boundedNumber({ type }: FieldRules): boolean {
  switch (type.case) {
    // Its type limits it above.
    case 'int32':
      return type.value.in.length > 0 || type.value.greaterThan.case !== undefined
    case 'double':
    case 'float':
    case 'int64':
    case 'uint32':
    case 'uint64':
      return (
        type.value.in.length > 0 ||
        (type.value.lessThan.case !== undefined && type.value.greaterThan.case !== undefined)
      )
    default:
      return false
  }
}
