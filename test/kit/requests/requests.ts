import { createHash } from 'node:crypto'
import { create, type DescField, fromJson, getOption, type JsonObject, type Message } from '@bufbuild/protobuf'
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt'
import type { Call } from '../../../cli/tour/client.ts'
import { type Route, routesOf } from '../../../edge/rest/routes.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import {
  type Access,
  access as accessOption,
  Body,
  Caller,
  Scope,
} from '../../../gen/platform/options/v1/options_pb.ts'
import { takesPeople } from '../../../services/kernel/access/access.ts'
import { loadFiles, serviceOf } from '../../contract/descriptors.ts'
import { isId, minimalJson, type ValueChoice, valueOf } from './minimal-body.ts'

/** A route with its RPC's access option. */
export type Endpoint = {
  /** news GET /api/v1/pages/{id} */
  title: string
  service: RestService
  route: Route
  access: Access
  /** Request fields that the path binds. */
  pathFields: DescField[]
}

/** Every REST route of the platform, aliases included. */
export async function endpoints(): Promise<Endpoint[]> {
  const services = (await loadFiles()).flatMap(file => file.services)
  return services.flatMap(desc => {
    const service = serviceOf(desc.file.proto.package) as RestService
    return routesOf(desc).map(route => ({
      title: `${service} ${route.verb} ${route.path}`,
      service,
      route,
      access: getOption(route.method, accessOption),
      pathFields: route.segments.filter(segment => typeof segment !== 'string'),
    }))
  })
}

export const isPublic = ({ access }: Endpoint): boolean => access.callers.includes(Caller.PUBLIC)
export const forUsers = ({ access }: Endpoint): boolean => takesPeople(access)
export const isOf = ({ access }: Endpoint, ...scopes: Scope[]): boolean => scopes.includes(access.scope)
/** Routes whose body is JSON; uploads are forms. */
export const takesJson = ({ route }: Endpoint): boolean => route.hasBody && route.restOptions.request !== Body.MULTIPART
export const idParameters = ({ pathFields }: Endpoint): DescField[] => pathFields.filter(isId)
/** The request field that names the tenant. */
const scopeFieldOf = ({ route, access }: Endpoint): DescField | undefined =>
  access.scopeField ? route.method.input.fields.find(field => field.name === access.scopeField) : undefined

/** An id that no record has; the same for the same text. */
export const idFor = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** A call in its wire form. */
export type Planned = { path: string; body: unknown }

/** Values for a call's fields: chosen ones, and ids that belong to no record. */
const withAbsentIds =
  ({ title }: Endpoint, choose: ValueChoice): ValueChoice =>
  field =>
    choose(field) ?? (isId(field) ? idFor(title + field.name) : undefined)

/** The body or query of a minimal call, with further fields. */
function contents(
  endpoint: Endpoint,
  choose: ValueChoice,
  extraFields: Record<string, unknown>,
): Record<string, unknown> {
  const { route, pathFields } = endpoint
  const fields = minimalJson(route.method.input, choose, new Set(pathFields.map(field => field.name)))
  // An optional tenant is named too, so that the test knows which one is meant.
  const scope = scopeFieldOf(endpoint)
  if (scope && !pathFields.includes(scope)) fields[scope.jsonName] = valueOf(scope, choose)
  const content = { ...fields, ...extraFields }
  return Object.keys(content).length > 0 ? content : atLeastOne(endpoint, choose)
}

/**
 * The minimal call of a route that passes validation.
 * @param choose values for fields by their meaning; other ids belong to no record
 * @param extraFields body fields or query parameters beside the required ones
 */
export function planRequest(
  endpoint: Endpoint,
  choose: ValueChoice,
  extraFields: Record<string, unknown> = {},
): Planned {
  const { route } = endpoint
  const fullChoice = withAbsentIds(endpoint, choose)
  const path = `/${route.segments
    .map(segment => (typeof segment === 'string' ? segment : encodeURIComponent(String(valueOf(segment, fullChoice)))))
    .join('/')}`
  const fields = contents(endpoint, fullChoice, extraFields)
  if (route.hasBody) return { path, body: fields }
  const query = new URLSearchParams(
    Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString()
  return { path: query ? `${path}?${query}` : path, body: undefined }
}

/** The same call as a message for an RPC. */
export function plannedMessage(
  endpoint: Endpoint,
  choose: ValueChoice,
  extraFields: Record<string, unknown> = {},
): Message {
  const { route, pathFields } = endpoint
  const fullChoice = withAbsentIds(endpoint, choose)
  const fields = contents(endpoint, fullChoice, extraFields)
  const inPath = Object.fromEntries(pathFields.map(field => [field.jsonName, valueOf(field, fullChoice)]))
  const message = fromJson(route.method.input, { ...inPath, ...fields } as JsonObject)
  const mask = route.method.input.fields.find(({ message: one }) => one?.typeName === FieldMaskSchema.typeName)
  if (!mask) return message
  const paths = route.method.input.fields.filter(field => field.jsonName in fields).map(field => field.name)
  return Object.assign(message, { [mask.localName]: create(FieldMaskSchema, { paths }) })
}

/** A PATCH must change something. */
function atLeastOne({ route, pathFields }: Endpoint, choose: ValueChoice): Record<string, unknown> {
  if (route.verb !== 'PATCH' || !route.hasBody) return {}
  const field = route.method.input.fields.find(
    one => !pathFields.includes(one) && one.message?.typeName !== 'google.protobuf.FieldMask',
  )
  return field ? { [field.jsonName]: valueOf(field, choose) } : {}
}

/** Options of the tour's client for a planned call. */
export const as = (token: string | undefined, { body }: Planned): Call => ({
  token,
  ...(body === undefined ? {} : { body }),
})
