import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
} from '@bufbuild/protobuf'
import { http as httpOption } from '../../gen/google/api/annotations_pb.ts'
import type { HttpRule } from '../../gen/google/api/http_pb.ts'
import { Dialect, type Rest, rest as restOption } from '../../gen/platform/options/v1/options_pb.ts'

/** One REST route of one RPC. */
export type Route = {
  /** GET, POST, PUT, PATCH or DELETE. */
  verb: string
  /** The path's segments; a parameter is represented by its field. */
  segments: (string | DescField)[]
  /** For messages and logs: /teams/{id}/members. */
  path: string
  method: DescMethod
  /** True when fields outside the path come from the body, false when from the query. */
  hasBody: boolean
  /** True when the message has no fields for a body: its content is ignored. */
  takesNothing: boolean
  /** True when unknown fields of a body are ignored. */
  isOpen: boolean
  /** Field of the response that is the whole body; absent when the message itself is. */
  responseField: DescField | undefined
  restOptions: Rest
}

const verbs = new Map<string | undefined, string>([
  ['get', 'GET'],
  ['post', 'POST'],
  ['put', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
])

/** The declared routes of a service, aliases included. Throws on an invalid declaration. */
export function routesOf(service: DescService): Route[] {
  return service.methods.flatMap(method => {
    if (!hasOption(method, httpOption)) return []
    const rule = getOption(method, httpOption)
    return [rule, ...rule.additionalBindings].map(binding => routeOf(method, binding))
  })
}

function routeOf(method: DescMethod, rule: HttpRule): Route {
  const verb = verbs.get(rule.pattern.case)
  const path = rule.pattern.value
  const methodName = `${method.parent.typeName}.${method.name}`
  if (!verb || typeof path !== 'string' || !path.startsWith('/')) throw new Error(`${methodName}: no usable route`)
  if (rule.body !== '' && rule.body !== '*') throw new Error(`${methodName}: body must be "*" or empty`)
  const segments = path
    .split('/')
    .filter(Boolean)
    .map(part => (part.startsWith('{') ? fieldNamed(method.input, part.slice(1, -1), methodName) : part))
  const restOptions = getOption(method, restOption)
  const takesNothing = method.input.fields.every(field => segments.includes(field))
  return {
    verb,
    segments,
    path,
    method,
    hasBody: rule.body === '*',
    takesNothing,
    isOpen: restOptions.openBody || takesNothing,
    responseField: rule.responseBody ? fieldNamed(method.output, rule.responseBody, methodName) : undefined,
    restOptions,
  }
}

function fieldNamed(message: DescMessage, name: string, methodName: string): DescField {
  const field = message.fields.find(one => one.name === name)
  if (!field) throw new Error(`${methodName}: ${message.typeName} has no field ${name}`)
  return field
}

/** The dialect of errors for addresses without a route: that of the routes with the same beginning, if they agree. */
export function dialectsOf(routes: Route[]): (path: string) => Dialect {
  const dialects = new Map<string, Dialect>()
  for (const { path, restOptions } of routes) {
    const earlierDialect = dialects.get(firstSegment(path))
    dialects.set(
      firstSegment(path),
      earlierDialect === undefined || earlierDialect === restOptions.dialect
        ? restOptions.dialect
        : Dialect.UNSPECIFIED,
    )
  }
  return path => dialects.get(firstSegment(path)) ?? Dialect.UNSPECIFIED
}

const firstSegment = (path: string): string => path.split(/[/?]/, 2)[1]?.toLowerCase() ?? ''
