import { type DescMessage, getOption } from '@bufbuild/protobuf'
import { type FieldRules, field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'

/** All patterns of these messages' strings, with the fields that use them. */
export function patternsOf(messages: DescMessage[]): ReadonlyMap<string, string[]> {
  const fieldsByPattern = new Map<string, string[]>()
  for (const message of messages)
    for (const field of message.fields)
      for (const pattern of patternsIn(getOption(field, rulesOption)))
        fieldsByPattern.set(pattern, [...(fieldsByPattern.get(pattern) ?? []), `${message.typeName}.${field.name}`])
  return fieldsByPattern
}

function patternsIn(rules: FieldRules | undefined): string[] {
  const { type } = rules ?? {}
  if (type?.case === 'repeated') return patternsIn(type.value.items)
  if (type?.case === 'map') return [...patternsIn(type.value.keys), ...patternsIn(type.value.values)]
  return type?.case === 'string' && type.value.pattern ? [type.value.pattern] : []
}

/** A repetition behind a separator: (-[a-z]+)*. */
const continued = /\((\\?[^\w\s[\]()])(\[[^\]]+\])\+\)[*+]/g
/** Characters, character classes, quantifiers of one of them, and alternatives. */
const simple = /^\^(?:[\w:/#.@,!~ -]|\\[.+/]|\[[^\]]+\]|\{\d+(?:,\d+)?\}|[?+*]|[()|])*\$?$/

/**
 * Why a backtracking engine might take more than linear time for a pattern; undefined if it can't. At most one part may
 * have any length, besides repetitions behind a separator that the part excludes.
 */
export function slowness(pattern: string): string | undefined {
  let isMixed = false
  const remainder = pattern.replace(continued, (_whole, separator: string, inner: string) => {
    isMixed ||= new RegExp(inner, 'u').test(separator.replace('\\', ''))
    return ''
  })
  if (isMixed) return 'a part may hold its separator'
  if (!simple.test(remainder)) return 'is more than characters, classes and how often they come'
  if (/\)[*+{]/.test(remainder)) return 'repeats a group'
  return (remainder.replaceAll(/\[[^\]]+\]/g, 'x').match(/[*+]/g)?.length ?? 0) > 1
    ? 'has two parts of any length'
    : undefined
}
