import type { DescFile, DescMessage } from '@bufbuild/protobuf'
import { listeners } from '../../../edge/config.ts'
import { type Route, routesOf } from '../../../edge/rest/routes.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import { restServices } from '../catalogue.ts'
import { besideRoutes, besideTag } from './beside.ts'
import type { Comments } from './comments.ts'
import { errorResponses, errorSchemas } from './errors.ts'
import { withExamples } from './examples.ts'
import { sharedHeaders } from './headers.ts'
import { reachedFrom, schemaBook } from './messages.ts'
import { operation } from './operation.ts'
import { inVerbOrder, type Path, pathsOf } from './paths.ts'
import type { Schema } from './schema.ts'

/** Version that the contract gives these documents; the platform's is in package.json and GET /health. */
const version = '1.0.0'

const conventions =
  `Response fields are always present, and \`null\` when they have no value. Times are ISO 8601 in UTC. Requests are
strict: an unknown field or a wrong type is a 400 that lists every invalid field. In a PATCH, omitted fields are unchanged
and \`null\` clears a field. A trailing slash in a path is ignored. Every response has an \`X-Request-Id\`. In examples,
\`66f2a1c09b3e4d5f60718293\` is the id of any record.

**Authorize** with the \`accessToken\` of a sign-in, such as \`POST /auth/login\` of the authentication service. Services
and tools can use an \`X-API-Key\` on the routes that accept one.`.replace(/(?<!\n)\n(?!\n)/g, ' ')

const legacyNote =
  'The legacy version is deprecated; new clients use the modern version. Its errors are `{msg, success: false}`. Every response has the headers `Deprecation` and `Sunset`, and `Link` with the equivalent modern route if there is one.'

/** The OpenAPI 3.1 document of a REST service, from the files of its package. */
function openApiDocument(name: RestService, files: DescFile[], comments: Comments): Schema {
  const services = files.flatMap(file => file.services)
  const routes = services.flatMap(routesOf)
  const openMessages = new Set(routes.filter(route => route.isOpen).map(route => route.method.input))
  const book = schemaBook(comments, sharedMessages(routes), openMessages)
  const isLegacy = name === 'legacyauth'
  const workshop = { book, comments, pathOf: pathsOf(routes) }
  const paths: Record<string, Schema> = {}
  for (const [path, pathRoutes] of groupedByPath(routes, workshop.pathOf))
    for (const route of pathRoutes) {
      const first = routes.find(one => one.method === route.method)
      const description = operation(
        route,
        tagOf(route.method.parent.file),
        first === route ? undefined : first,
        workshop,
      )
      const pathItem = (paths[path] ??= {})
      pathItem[route.verb.toLowerCase()] = isLegacy ? { ...description, deprecated: true } : description
    }
  Object.assign(paths, besideRoutes(name))
  const schemas = { ...book.components(), ...errorSchemas }
  const components = { schemas, responses: errorResponses(), headers: sharedHeaders }
  withExamples(name, paths, components)
  return {
    openapi: '3.1.0',
    info: { title: titleOf(name), version, description: isLegacy ? `${legacyNote}\n\n${conventions}` : conventions },
    servers: [{ url: '.', description: 'The folder of this document' }],
    tags: [
      ...files.filter(file => file.services.some(one => routesOf(one).length > 0)).map(file => tagWith(file, comments)),
      besideTag,
    ],
    paths,
    components: { ...usedComponents(paths, components), securitySchemes },
  }
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Access token of a person.' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'Key of a service or an ecosystem credential.',
  },
  apiSecret: { type: 'apiKey', in: 'header', name: 'X-API-Secret', description: 'Secret of an ecosystem credential.' },
}

/** news-service → News service */
const titleOf = (name: RestService): string => sentence(listeners[name].health.replaceAll('-', ' '))

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** platform/member/v1/workspace_members → Workspace members */
const tagOf = (file: DescFile): string => sentence((file.name.split('/').at(-1) ?? '').replaceAll('_', ' '))

function tagWith(file: DescFile, comments: Comments): Schema {
  const texts = file.services.map(service => comments.get(service.typeName) ?? '')
  return { name: tagOf(file), description: texts.join('\n\n') }
}

/** Routes by path, in order. */
const groupedByPath = (routes: Route[], pathOf: (route: Route) => Path): [string, Route[]][] =>
  [...Map.groupBy(inVerbOrder(routes), route => pathOf(route).text)].toSorted(([a], [b]) => (a < b ? -1 : 1))

/** Messages both sent and received by clients; their schemas differ. */
function sharedMessages(routes: Route[]): Set<DescMessage> {
  const allReachedFrom = (messages: DescMessage[]) => new Set(messages.flatMap(message => [...reachedFrom(message)]))
  const outputs = allReachedFrom(routes.map(route => route.method.output))
  return new Set([...allReachedFrom(routes.map(route => route.method.input))].filter(message => outputs.has(message)))
}

type Components = Record<string, Record<string, Schema>>

/** The components that the paths refer to, directly or indirectly. */
function usedComponents(paths: Schema, components: Components): Components {
  const usedKeys = new Set<string>()
  const follow = (from: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(from).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      const key = `${kind}/${name}`
      const component = components[kind]?.[name]
      if (!component) throw new Error(`nothing is at ${key}`)
      if (usedKeys.has(key)) continue
      usedKeys.add(key)
      follow(component)
    }
  }
  follow(paths)
  const usedByKind = Object.entries(components).map(([kind, componentByName]) => {
    const rows = Object.entries(componentByName).filter(([name]) => usedKeys.has(`${kind}/${name}`))
    return [kind, Object.fromEntries(rows)] as const
  })
  return Object.fromEntries(usedByKind.filter(([, componentByName]) => Object.keys(componentByName).length > 0))
}

/** The OpenAPI documents, one per REST service: gen/openapi/news.json … */
export function openApiOutputs(files: DescFile[], comments: Comments): { path: string; text: string }[] {
  return [...restServices(files)].map(([name, serviceFiles]) => {
    const document = openApiDocument(name as RestService, serviceFiles, comments)
    return { path: `gen/openapi/${name}.json`, text: `${JSON.stringify(document, null, 2)}\n` }
  })
}
