import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNullable, plainType, type Schema, targetOf } from '../generate/openapi/schema.ts'
import { root } from '../run.ts'
import { readDocuments } from './record.ts'

type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}
type WithSchemas = { components: { schemas?: Record<string, Schema> } }
export type RestDocument = WithSchemas & { paths: Record<string, Record<string, Operation>> }
export type EventsDocument = WithSchemas & {
  operations: Record<string, { action: 'send' | 'receive'; messages: { $ref: string }[] }>
  components: { messages: Record<string, { payload: Schema }> }
}
type Side = 'request' | 'answer'
type Versions<T> = { before: T; after: T }

/** What the released documents promise and the present ones don't: clients of then must still be understood. */
export function brokenDocuments(): string[] {
  return Object.entries(readDocuments()).flatMap(([path, before]) => {
    const after: unknown = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const lines = path.endsWith('asyncapi.json')
      ? brokenEvents({ before, after } as Versions<EventsDocument>)
      : brokenRoutes({ before, after } as Versions<RestDocument>)
    return lines.map(line => `${path}: ${line}`)
  })
}

/** The events and frames that are gone, or whose fields are. */
export function brokenEvents(documents: Versions<EventsDocument>): string[] {
  const lines: string[] = []
  const compare = comparison(documents, line => lines.push(line))
  const payloadOf = ({ components }: EventsDocument, { $ref }: { $ref: string }): Schema | undefined =>
    components.messages[$ref.split('/').at(-1) ?? '']?.payload
  for (const [name, { action, messages }] of Object.entries(documents.before.operations)) {
    const now = documents.after.operations[name]
    if (now?.action !== action) lines.push(`${name} is gone`)
    else
      for (const message of messages) {
        const payloads = { before: payloadOf(documents.before, message), after: payloadOf(documents.after, message) }
        compare(payloads, action === 'send' ? 'answer' : 'request', name)
      }
  }
  return lines
}

/** What of the earlier routes no longer holds, one line each. */
export function brokenRoutes(documents: Versions<RestDocument>): string[] {
  const lines: string[] = []
  const compare = comparison(documents, line => lines.push(line))
  for (const [path, operations] of Object.entries(documents.before.paths))
    for (const [verb, before] of Object.entries(operations)) {
      const place = `${verb.toUpperCase()} ${path}`
      const after = documents.after.paths[path]?.[verb]
      if (!after) lines.push(`${place} is gone`)
      else compareOperations({ before, after }, place)
    }
  return lines

  function compareOperations({ before, after }: Versions<Operation>, place: string): void {
    const keyOf = (one: { name: string; in: string }) => `${one.in} ${one.name}`
    const parametersBefore = new Map((before.parameters ?? []).map(one => [keyOf(one), one]))
    for (const one of after.parameters ?? [])
      if (one.required && !parametersBefore.get(keyOf(one))?.required)
        lines.push(`${place}: ${keyOf(one)} is required now`)
    for (const [key, { schema }] of parametersBefore) {
      const now = after.parameters?.find(one => keyOf(one) === key)
      if (now) compare({ before: schema, after: now.schema }, 'request', `${place}: ${key}`)
      else lines.push(`${place}: ${key} is gone`)
    }
    for (const [type, { schema }] of Object.entries(before.requestBody?.content ?? {}))
      compare({ before: schema, after: after.requestBody?.content[type]?.schema }, 'request', `${place}: request`)
    for (const [status, { content }] of Object.entries(before.responses)) {
      if (!status.startsWith('2')) continue
      for (const [type, { schema }] of Object.entries(content ?? {}))
        compare(
          { before: schema, after: after.responses[status]?.content?.[type]?.schema },
          'answer',
          `${place}: ${status}`,
        )
    }
  }
}

/** Compares schemas of both documents. Pairs that were compared already are passed over, as recursive ones are. */
function comparison({ before: old, after: young }: Versions<WithSchemas>, report: (line: string) => void) {
  const comparedPairs = new Set<string>()
  const resolve = ({ components }: WithSchemas, schema: Schema): Schema =>
    components.schemas?.[targetOf(schema)?.split('/').at(-1) ?? ''] ?? schema

  return function compare(pair: Versions<Schema | undefined>, side: Side, place: string): void {
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
    const required = (schema: Schema) => new Set((schema['required'] as string[] | undefined) ?? [])
    const [stricter, laxer] = side === 'request' ? [after, before] : [before, after]
    for (const name of required(stricter))
      if (!required(laxer).has(name))
        report(`${place}.${name} ${side === 'request' ? 'is required' : 'may be absent'} now`)
    const values = after['enum'] as unknown[] | undefined
    const removedValues = ((before['enum'] as unknown[] | undefined) ?? []).filter(
      one => values && !values.includes(one),
    )
    if (side === 'request' && removedValues.length > 0) report(`${place} no longer takes ${removedValues.join(', ')}`)
    const properties = (schema: Schema) => (schema['properties'] as Record<string, Schema> | undefined) ?? {}
    for (const [name, schema] of Object.entries(properties(before)))
      compare({ before: schema, after: properties(after)[name] }, side, `${place}.${name}`)
    if (before['items'])
      compare({ before: before['items'] as Schema, after: after['items'] as Schema | undefined }, side, `${place}[]`)
  }
}
