import { isDeepStrictEqual } from 'node:util'
import { isNullable, plainType, type Schema, targetOf } from '../generate/openapi/schema.ts'

export type Versions<T> = { before: T; after: T }
export type WithSchemas = { components: { schemas?: Record<string, Schema> } }
/** Whether clients send values of a schema, or read them. */
export type SchemaSide = 'request' | 'answer'
export type CompareSchemas = (pair: Versions<Schema | undefined>, side: SchemaSide, place: string) => void

const annotations = ['description', 'example', 'examples', 'title', 'deprecated']
/** Keywords that are compared one by one. */
const structure = ['$ref', 'anyOf', 'type', 'required', 'properties', 'items', 'additionalProperties']
/** Keywords that may change; an answer's list of values may grow [D558]. */
const uncompared: Record<SchemaSide, Set<string>> = {
  request: new Set([...annotations, ...structure]),
  answer: new Set([...annotations, ...structure, 'enum']),
}
/** What generated clients make types of: it stays as it is. */
const typeKeywords = new Set(['type', 'format'])

/**
 * Compares schemas of both documents: what clients sent must still be taken, and what they read must be as promised. A
 * property stays in any case. Pairs that were compared already are passed over, as recursive ones are.
 */
export function comparison(
  { before: old, after: young }: Versions<WithSchemas>,
  report: (line: string) => void,
): CompareSchemas {
  const comparedPairs = new Set<string>()
  const resolve = ({ components }: WithSchemas, schema: Schema): Schema =>
    components.schemas?.[targetOf(schema)?.split('/').at(-1) ?? ''] ?? schema

  return function compare(pair, side, place): void {
    if (!pair.before) return
    if (!pair.after) return report(`${place} is gone`)
    const [wasNullable, isNullableNow] = [isNullable(pair.before), isNullable(pair.after)]
    if (side === 'request' && wasNullable && !isNullableNow) report(`${place} no longer takes null`)
    if (side === 'answer' && !wasNullable && isNullableNow) report(`${place} may be null now`)
    const key = `${side} ${targetOf(pair.before)} ${targetOf(pair.after)}`
    if (targetOf(pair.before) !== undefined && comparedPairs.has(key)) return
    comparedPairs.add(key)
    const [before, after] = [resolve(old, pair.before), resolve(young, pair.after)]
    if (plainType(before) !== plainType(after)) report(`${place} is ${String(plainType(after))} now`)

    // The values of one schema have to be values of the other.
    const [narrow, wide] = side === 'request' ? [before, after] : [after, before]
    for (const name of requiredOf(wide))
      if (!requiredOf(narrow).includes(name))
        report(`${place}.${name} ${side === 'request' ? 'is required' : 'may be absent'} now`)
    for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (!uncompared[side].has(keyword) && !admits(keyword, wide[keyword], narrow[keyword]))
        report(`${place}: ${keyword} is ${textOf(after[keyword])} now, and was ${textOf(before[keyword])}`)

    for (const [name, schema] of Object.entries(propertiesOf(before)))
      compare({ before: schema, after: propertiesOf(after)[name] }, side, `${place}.${name}`)
    if (before['items'])
      compare({ before: before['items'] as Schema, after: after['items'] as Schema | undefined }, side, `${place}[]`)
    const [othersBefore, othersAfter] = [othersOf(before), othersOf(after)]
    if (typeof othersBefore === 'object' && typeof othersAfter === 'object')
      compare({ before: othersBefore, after: othersAfter }, side, `${place}.*`)
    else if (othersOf(wide) !== true && othersOf(wide) !== othersOf(narrow))
      report(`${place}: additionalProperties is ${textOf(othersAfter)} now, and was ${textOf(othersBefore)}`)
  }
}

const requiredOf = (schema: Schema): string[] => (schema['required'] as string[] | undefined) ?? []
const propertiesOf = (schema: Schema) => (schema['properties'] as Record<string, Schema> | undefined) ?? {}
const othersOf = (schema: Schema) => (schema['additionalProperties'] as Schema | boolean | undefined) ?? true
const textOf = (value: unknown): string => JSON.stringify(value) ?? 'absent'

/** Whether what a keyword allows in the wide schema is at least what it allows in the narrow one. */
function admits(keyword: string, wide: unknown, narrow: unknown): boolean {
  if (wide === undefined && !typeKeywords.has(keyword)) return true
  if (typeof wide === 'number' && typeof narrow === 'number') {
    if (keyword.startsWith('max')) return wide >= narrow
    if (keyword.startsWith('min')) return wide <= narrow
  }
  if (keyword === 'enum' && Array.isArray(wide) && Array.isArray(narrow))
    return narrow.every(one => one === null || wide.includes(one))
  return isDeepStrictEqual(wide, narrow)
}
