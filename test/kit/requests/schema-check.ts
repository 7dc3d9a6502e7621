import type { Urls } from '../../../cli/tour/client.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import {
  type Document,
  documentedServices,
  mistakes,
  type Operation,
  openApi,
  type SchemaOf,
  validatorsOf,
} from './openapi.ts'

/** One call over HTTP, with parsed bodies; undefined for a body that isn't JSON. */
export type Exchange = { method: string; path: string; status: number; requestBody: unknown; answerBody: unknown }

type CheckedDocument = { document: Document; schemaOf: SchemaOf }
const documents = new Map<RestService, CheckedDocument>()

function documentOf(service: RestService): CheckedDocument {
  let entry = documents.get(service)
  if (!entry) {
    const document = openApi(service)
    documents.set(service, (entry = { document, schemaOf: validatorsOf(document) }))
  }
  return entry
}

/** The documented path of a request path; a literal segment takes precedence over a parameter. */
function templateOf(document: Document, path: string): string | undefined {
  const parts = path.replace(/\/$/, '').split('/')
  const fits = (template: string) => {
    const segments = template.split('/')
    return (
      segments.length === parts.length && segments.every((part, index) => part.startsWith('{') || part === parts[index])
    )
  }
  const order = (template: string) => template.replaceAll('{', '\uffff')
  return Object.keys(document.paths)
    .filter(fits)
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))[0]
}

/** Refusals that the edge sends before it knows the operation, or that any operation may return. */
const generalStatuses = new Set([405, 406, 408, 413, 415, 500, 501, 503])

/**
 * What in an exchange deviates from the service's OpenAPI document: its path, its status, its answer and, on success,
 * its request. Empty without deviations; undefined when the document has no such path.
 */
export function schemaProblems(service: RestService, exchange: Exchange): string[] | undefined {
  const { document, schemaOf } = documentOf(service)
  const template = templateOf(document, exchange.path)
  if (template === undefined) return undefined
  const verb = exchange.method.toLowerCase()
  const operation = document.paths[template]?.[verb]
  if (!operation) return exchange.status === 405 ? [] : [`${exchange.method} is not documented`]
  const { status, requestBody, answerBody } = exchange
  const problems =
    answerBody === undefined ? [] : ofAnswer(operation, ['paths', template, verb], status, answerBody, schemaOf)
  const schema = operation.requestBody?.content?.['application/json']
  if (status < 300 && requestBody !== undefined) {
    if (!schema) problems.push('a body is not documented')
    else {
      const place = ['paths', template, verb, 'requestBody', 'content', 'application/json', 'schema']
      problems.push(...mistakes(schemaOf(...place), requestBody).map(line => `request ${line}`))
    }
  }
  return problems
}

function ofAnswer(
  { responses }: Operation,
  operationPath: string[],
  status: number,
  answerBody: unknown,
  schemaOf: SchemaOf,
): string[] {
  const statusResponse = responses[status]
  if (!statusResponse && !generalStatuses.has(status)) return [`status ${status} is not documented`]
  const response = statusResponse ?? responses['default']
  const place = response?.$ref
    ? response.$ref.split('/').slice(1)
    : [...operationPath, 'responses', statusResponse ? String(status) : 'default']
  return mistakes(schemaOf(...place, 'content', 'application/json', 'schema'), answerBody).map(line => `answer ${line}`)
}

/** The results of a watch. */
export type Watch = {
  /** Operations that were checked: POST /teams. */
  operations: Set<string>
  /** Every deviation, one line each. */
  problems: string[]
  /** Ends the watch. */
  stop(): void
}

/** Checks every JSON answer that `fetch` gets from these addresses against the documents, until it is stopped. */
export function watchAnswers(urls: Urls): Watch {
  const original = globalThis.fetch
  const watch: Watch = {
    operations: new Set(),
    problems: [],
    stop() {
      globalThis.fetch = original
    },
  }
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init)
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
    const services = documentedServices.filter(name => new URL(urls[name]).origin === origin)
    const isJson = response.headers.get('content-type')?.includes('application/json')
    if (services.length === 0 || !isJson) return response
    const method = init?.method ?? 'GET'
    const requestBody: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const answerBody: unknown = await response.clone().json()
    const exchange = { method, path: pathname, status: response.status, requestBody, answerBody }
    const problems = services.map(name => schemaProblems(name, exchange)).find(one => one !== undefined)
    watch.operations.add(`${method} ${pathname}`)
    const lines = problems ?? (response.status === 404 ? [] : ['the path is not documented'])
    watch.problems.push(...lines.map(line => `${method} ${pathname} → ${response.status}: ${line}`))
    return response
  }
  return watch
}
