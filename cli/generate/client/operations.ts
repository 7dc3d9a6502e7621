import type { ClientRoute } from '../../../edge/client/call.ts'
import type { Schema } from '../openapi/schema.ts'

type Parameter = {
  name: string
  /** The field of the request, where the document names the parameter otherwise. */
  'x-field'?: string
  in: string
  required?: boolean
  schema: Schema
  description?: string
}

/** The path and parameters of an operation, by the names of its own fields. */
function ownNames(path: string, operation: Schema): { path: string; parameters: Parameter[] } {
  const parameters = (operation['parameters'] as Parameter[] | undefined) ?? []
  return {
    path: parameters.reduce((text, one) => text.replace(`{${one.name}}`, `{${one['x-field'] ?? one.name}}`), path),
    parameters: parameters.map(one => ({ ...one, name: one['x-field'] ?? one.name })),
  }
}

/** An operation of an OpenAPI document, for clients in any language. */
export type ClientOperation = {
  name: string
  description: unknown
  /** Parameters of path and query, `ifMatch` and `body`. */
  members: Record<string, Schema>
  required: ReadonlySet<string>
  /** The schema of a success; undefined for a file, null without a body. */
  answer: Schema | null | undefined
  route: ClientRoute
}

/** Every operation of a document, in its order, without the edge's own: probes, and what a provider calls. */
export function operationsOf(document: Schema): ClientOperation[] {
  return Object.entries(document['paths'] as Record<string, Record<string, Schema>>).flatMap(([path, verbs]) =>
    Object.entries(verbs)
      .filter(([, operation]) => !operation['x-edge'])
      .map(([verb, operation]) => clientOperation(path, verb, operation)),
  )
}

function clientOperation(sharedPath: string, verb: string, operation: Schema): ClientOperation {
  const { path, parameters } = ownNames(sharedPath, operation)
  const parametersIn = (place: string) => parameters.filter(one => one.in === place)
  const [kind, body] = bodyOf(operation)
  const members: Record<string, Schema> = Object.fromEntries(
    [...parametersIn('path'), ...parametersIn('query')].map(one => [
      one.name,
      { ...one.schema, description: one.description },
    ]),
  )
  const required = new Set(parameters.filter(one => one.required).map(one => one.name))
  if (parametersIn('header').some(one => one.name === 'If-Match'))
    members['ifMatch'] = { type: 'string', description: 'ETag that the record must still have; otherwise 412.' }
  if (body) {
    members['body'] = body
    required.add('body')
  }
  const answer = answerOf(operation)
  return {
    name: String(operation['operationId']).replace(/^./, letter => letter.toLowerCase()),
    description: operation['description'],
    members,
    required,
    answer,
    route: {
      verb: verb.toUpperCase(),
      path,
      query: parametersIn('query').map(one => one.name),
      body: kind,
      answer: answer === undefined ? 'stream' : 'json',
      isRepeatable: verb !== 'post' && verb !== 'patch',
      keyed: parametersIn('header').some(one => one.name === 'Idempotency-Key'),
      open: (operation['security'] as unknown[] | undefined)?.length === 0,
    },
  }
}

function bodyOf(operation: Schema): ['none' | 'json' | 'form', Schema?] {
  const content = (operation['requestBody'] as { content?: Record<string, { schema: Schema }> } | undefined)?.content
  const json = content?.['application/json']
  if (json) return ['json', json.schema]
  const form = content?.['multipart/form-data']
  return form ? ['form', form.schema] : ['none']
}

function answerOf(operation: Schema): ClientOperation['answer'] {
  const responses = operation['responses'] as Record<string, { content?: Record<string, { schema: Schema }> }>
  const content = (responses['200'] ?? responses['201'])?.content
  return content ? content['application/json']?.schema : null
}
