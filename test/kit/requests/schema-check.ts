import type { Urls } from '../../../cli/tour/client.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import { type Document, documented, mistakes, type Operation, openApi, type SchemaOf, validatorsOf } from './openapi.ts'

/** One call over HTTP, with parsed bodies; undefined for a body that isn't JSON. */
export type Exchange = { method: string; path: string; status: number; sent: unknown; answered: unknown }

type Known = { document: Document; schemaOf: SchemaOf }
const loaded = new Map<RestService, Known>()

function documentOf(service: RestService): Known {
  let known = loaded.get(service)
  if (!known) {
    const document = openApi(service)
    loaded.set(service, (known = { document, schemaOf: validatorsOf(document) }))
  }
  return known
}

/** The documented path of a request path; a literal segment takes precedence over a parameter. */
function templateOf(document: Document, path: string): string | undefined {
  const parts = path.replace(/\/$/, '').split('/')
  const fits = (template: string) => {
    const own = template.split('/')
    return own.length === parts.length && own.every((part, at) => part.startsWith('{') || part === parts[at])
  }
  const order = (template: string) => template.replaceAll('{', '\uffff')
  return Object.keys(document.paths)
    .filter(fits)
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))[0]
}

/** Refusals that the edge sends before it knows the operation, or that any operation may return. */
const anywhere = new Set([405, 406, 408, 413, 415, 500, 501, 503])

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
  const { status, sent, answered } = exchange
  const problems =
    answered === undefined ? [] : ofAnswer(operation, ['paths', template, verb], status, answered, schemaOf)
  const schema = operation.requestBody?.content?.['application/json']
  if (status < 300 && sent !== undefined) {
    if (!schema) problems.push('a body is not documented')
    else {
      const place = ['paths', template, verb, 'requestBody', 'content', 'application/json', 'schema']
      problems.push(...mistakes(schemaOf(...place), sent).map(line => `request ${line}`))
    }
  }
  return problems
}

function ofAnswer(
  { responses }: Operation,
  at: string[],
  status: number,
  answered: unknown,
  schemaOf: SchemaOf,
): string[] {
  const listed = responses[status]
  if (!listed && !anywhere.has(status)) return [`status ${status} is not documented`]
  const response = listed ?? responses['default']
  const place = response?.$ref
    ? response.$ref.split('/').slice(1)
    : [...at, 'responses', listed ? String(status) : 'default']
  return mistakes(schemaOf(...place, 'content', 'application/json', 'schema'), answered).map(line => `answer ${line}`)
}

/** The results of a watch. */
export type Watch = {
  /** Operations that were checked: POST /teams. */
  seen: Set<string>
  /** Every deviation, one line each. */
  problems: string[]
  /** Ends the watch. */
  stop(): void
}

/** Checks every JSON answer that `fetch` gets from these addresses against the documents, until it is stopped. */
export function watchAnswers(urls: Urls): Watch {
  const original = globalThis.fetch
  const watch: Watch = {
    seen: new Set(),
    problems: [],
    stop() {
      globalThis.fetch = original
    },
  }
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init)
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
    const services = documented.filter(name => new URL(urls[name]).origin === origin)
    const isJson = response.headers.get('content-type')?.includes('application/json')
    if (services.length === 0 || !isJson) return response
    const method = init?.method ?? 'GET'
    const sent: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined
    const answered: unknown = await response.clone().json()
    const exchange = { method, path: pathname, status: response.status, sent, answered }
    const found = services.map(name => schemaProblems(name, exchange)).find(one => one !== undefined)
    watch.seen.add(`${method} ${pathname}`)
    const lines = found ?? (response.status === 404 ? [] : ['the path is not documented'])
    watch.problems.push(...lines.map(line => `${method} ${pathname} → ${response.status}: ${line}`))
    return response
  }
  return watch
}
