import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Schema } from '../generate/openapi/schema.ts'
import { root } from '../run.ts'
import { readDocuments } from './record.ts'
import { comparison, type Versions, type WithSchemas } from './schemas.ts'

type Content = { content?: Record<string, { schema: Schema }> }
type Answer = Content & { $ref?: string; headers?: Record<string, Schema> }
type Operation = {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Answer>
  [fact: string]: unknown
}
export type RestDocument = WithSchemas & {
  paths: Record<string, Record<string, Operation>>
  components: { responses?: Record<string, Answer> }
}
export type EventsDocument = WithSchemas & {
  operations: Record<string, { action: 'send' | 'receive'; messages: { $ref: string }[] }>
  components: { messages: Record<string, { payload: Schema }> }
}

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

/** Texts for readers, and what is compared in detail. Every other fact of an operation stays; its lists may grow. */
const changeableFacts = new Set(['summary', 'description', 'deprecated', 'parameters', 'requestBody', 'responses'])

const isSuccess = (status: string): boolean => status.startsWith('2')

/** What of the earlier routes no longer holds, one line each. */
export function brokenRoutes(documents: Versions<RestDocument>): string[] {
  const lines: string[] = []
  const compare = comparison(documents, line => lines.push(line))
  for (const [path, operations] of Object.entries(documents.before.paths))
    for (const [verb, before] of Object.entries(operations)) {
      const place = `${verb.toUpperCase()} ${path}`
      const after = documents.after.paths[path]?.[verb]
      if (!after) lines.push(`${place} is gone`)
      else {
        compareFacts({ before, after }, place)
        compareParameters({ before, after }, place)
        compareBodies({ before: before.requestBody, after: after.requestBody }, place)
        compareAnswers({ before, after }, place)
      }
    }
  return lines

  function compareFacts({ before, after }: Versions<Operation>, place: string): void {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, now] = [before[name], after[name]]
      // Opens the route to more callers.
      if (name === 'x-own-permission' && was === undefined) continue
      const isKept = Array.isArray(was) && Array.isArray(now) ? includesAll(now, was) : isDeepStrictEqual(was, now)
      if (!changeableFacts.has(name) && !isKept)
        lines.push(`${place}: ${name} is ${JSON.stringify(now)} now, and was ${JSON.stringify(was)}`)
    }
  }

  function compareParameters({ before, after }: Versions<Operation>, place: string): void {
    const keyOf = (one: { name: string; in: string }) => `${one.in} ${one.name}`
    const parametersBefore = new Map((before.parameters ?? []).map(one => [keyOf(one), one]))
    for (const one of after.parameters ?? [])
      if (one.required && !parametersBefore.get(keyOf(one))?.required)
        lines.push(`${place}: ${keyOf(one)} is required now`)
    for (const [key, { schema }] of parametersBefore) {
      const now = after.parameters?.find(one => keyOf(one) === key)
      compare({ before: schema, after: now?.schema }, 'request', `${place}: ${key}`)
    }
  }

  function compareBodies({ before, after }: Versions<Operation['requestBody']>, place: string): void {
    if (after?.required && !before?.required) lines.push(`${place}: request is required now`)
    for (const [type, { schema }] of Object.entries(before?.content ?? {}))
      compare({ before: schema, after: after?.content?.[type]?.schema }, 'request', `${place}: request`)
  }

  function compareAnswers({ before, after }: Versions<Operation>, place: string): void {
    for (const status of Object.keys(after.responses))
      if (isSuccess(status) && !(status in before.responses)) lines.push(`${place}: ${status} is new`)
    for (const [status, one] of Object.entries(before.responses)) {
      const response = after.responses[status]
      if (!response) {
        lines.push(`${place}: ${status} is gone`)
        continue
      }
      const [was, now] = [answerIn(documents.before, one), answerIn(documents.after, response)]
      for (const [type, { schema }] of Object.entries(was.content ?? {}))
        compare({ before: schema, after: now.content?.[type]?.schema }, 'answer', `${place}: ${status}`)
      for (const name of Object.keys(was.headers ?? {}))
        if (!now.headers?.[name]) lines.push(`${place}: ${status} has no ${name}`)
    }
  }
}

const includesAll = (list: unknown[], values: unknown[]): boolean =>
  values.every(value => list.some(one => isDeepStrictEqual(one, value)))

/** An answer, or the component that it refers to. */
const answerIn = ({ components }: RestDocument, answer: Answer): Answer =>
  components.responses?.[answer.$ref?.split('/').at(-1) ?? ''] ?? answer
