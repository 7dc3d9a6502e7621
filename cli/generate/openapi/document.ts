import type { DescFile, DescMessage } from '@bufbuild/protobuf'
import { listeners } from '../../../edge/config.ts'
import type { RestService } from '../../../edge/catalogue.ts'
import { type Route, routesOf } from '../../../edge/rest/routes.ts'
import { besideRoutes, besideTag } from './beside.ts'
import type { Comments } from './comments.ts'
import { usedComponents } from './components.ts'
import { errorResponses, errorSchemas } from './errors.ts'
import { withExamples } from './examples.ts'
import { sharedHeaders } from './headers.ts'
import { reachedFrom, schemaBook } from './messages.ts'
import { operation } from './operation.ts'
import { inVerbOrder, type Path, pathsOf } from './paths.ts'
import type { Schema } from './schema.ts'

/** Version of the API that the OpenAPI documents state. */
const version = '1.0.0'

const conventions =
  `Every field of a response is always present; an absent value is \`null\`. Times are ISO 8601 in UTC. Requests are
strict: an unknown field or a wrong type is a 400 that lists every invalid field. In a PATCH, an omitted field
is unchanged and \`null\` clears it. A trailing slash changes nothing. Every response of a route has an \`X-Request-Id\`. In examples \`66f2a1c09b3e4d5f60718293\` stands for the id of any record.

**Authorize** takes the \`accessToken\` of a sign-in, such as \`POST /auth/login\` of the authentication service; services and tools may use an \`X-API-Key\` where the route
allows it.`.replace(/(?<!\n)\n(?!\n)/g, ' ')

const legacyNote =
  'The legacy version returns errors as `{msg, success: false}`. It is deprecated; every response has the headers `Deprecation` and `Sunset`, and `Link` names the equivalent modern route, if any. New clients should use the modern version.'

/** The OpenAPI 3.0.0 document of a REST service, from the files of its package. */
export function openApiDocument(name: RestService, files: DescFile[], comments: Comments): Schema {
  const services = files.flatMap(file => file.services)
  const routes = services.flatMap(routesOf)
  const openMessages = new Set(routes.filter(route => route.isOpen).map(route => route.method.input))
  const book = schemaBook(comments, sharedMessages(routes), openMessages)
  const isLegacy = name === 'legacyauth'
  const workshop = { book, comments, pathOf: pathsOf(routes) }
  const paths: Record<string, Schema> = {}
  for (const [path, own] of groupedByPath(routes, workshop.pathOf))
    for (const route of own) {
      const first = routes.find(one => one.method === route.method)
      const made = operation(route, tagOf(route.method.parent.file), first === route ? undefined : first, workshop)
      const at = (paths[path] ??= {})
      at[route.verb.toLowerCase()] = isLegacy ? { ...made, deprecated: true } : made
    }
  Object.assign(paths, besideRoutes(name))
  const schemas = { ...book.components(), ...errorSchemas }
  const all = { schemas, responses: errorResponses(), headers: sharedHeaders }
  withExamples(name, paths, all)
  return {
    openapi: '3.0.0',
    info: { title: titleOf(name), version, description: isLegacy ? `${legacyNote}\n\n${conventions}` : conventions },
    servers: [{ url: '/', description: 'The address of this document' }],
    tags: [
      ...files.filter(file => file.services.some(one => routesOf(one).length > 0)).map(file => tagWith(file, comments)),
      besideTag,
    ],
    paths,
    components: { ...usedComponents(paths, all), securitySchemes },
  }
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Access token of a user.' },
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
  const reached = (messages: DescMessage[]) => new Set(messages.flatMap(message => [...reachedFrom(message)]))
  const answered = reached(routes.map(route => route.method.output))
  return new Set([...reached(routes.map(route => route.method.input))].filter(message => answered.has(message)))
}
