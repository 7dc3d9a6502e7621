import { getOption } from '@bufbuild/protobuf'
import type { Urls } from '../../cli/tour/client.ts'
import { catalogue, type RestService } from '../../gen/catalogue.ts'
import { access as accessOption } from '../../gen/platform/options/v1/options_pb.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { bindings } from '../kit/requests/example-bindings.ts'
import type { ExampleInput } from '../kit/requests/example-input.ts'
import type { ExampleWorld } from '../kit/requests/example-world.ts'
import { type Document, documentedServices, type Operation, openApi } from '../kit/requests/openapi.ts'
import { howToName, kindOf, makeRecord } from '../kit/requests/records.ts'

export type Example = {
  id: string
  service: RestService
  path: string
  verb: string
  operation: Operation
  document: Document
}
/** The examples of all operations. */
export const examples: Example[] = documentedServices.flatMap(service => {
  const document = openApi(service)
  return Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => ({
      id: `${service}.${operation.operationId}`,
      service,
      path,
      verb: verb.toUpperCase(),
      operation,
      document,
    })),
  )
})

/** Replaces the values of input fields, at any depth. */
function filled(value: unknown, input: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map(one => filled(one, input))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key in input ? input[key] : filled(one, input)]),
  )
}

export const successOf = ({ operation }: Example): number =>
  Number(Object.keys(operation.responses).find(status => status < '300'))

export const isJson = ({ operation }: Example): boolean => 'application/json' in (operation.requestBody?.content ?? {})

type CompleteInput = ExampleInput & { values: Record<string, unknown> }
export type SendOptions = {
  repeatKey?: string
  headers?: Record<string, string>
  /** Instead of the example's. */
  body?: string | FormData
  /** Of another edge. */
  urls?: Urls
}
export type ExampleAnswer = { status: number; body: unknown; path: string; sentBody: unknown }

/** The caller of an example without a binding: the hotel's administrator, the platform's, a service, or none. */
function callerOf({ root, apiKey }: ExampleWorld, { security, 'x-callers': callers = [] }: Operation): ExampleInput {
  if (callers.includes('person') || security.some(one => Object.keys(one).length === 0)) return {}
  if (callers.includes('platform administrator')) return { token: root }
  return callers.includes('service key') ? { token: null, key: apiKey } : { token: null }
}

/** Completes and sends the examples in a hotel of a platform. */
export function exampleCalls(platform: Pick<Platform, 'urls'>, world: ExampleWorld) {
  /** A new record for the id in the path of an operation. */
  async function recordOf({ service, operation }: Example): Promise<string | undefined> {
    const method = catalogue[service].flatMap(one => one.methods).find(one => one.name === operation.operationId)
    const field = method?.input.fields.find(({ name }) => name === 'id')
    if (!method || !field) return undefined
    const subject = { route: { method }, access: getOption(method, accessOption) }
    const kind = kindOf(subject, field)
    if (!kind) throw new Error(howToName(subject, field))
    return (await makeRecord(world, kind))[kind]
  }

  async function inputFor(example: Example): Promise<CompleteInput> {
    const { id, path, operation } = example
    const special = (await bindings[id]?.(world)) ?? {}
    const { workspaceId, ecosystemId } = world
    const specialValues = special.values ?? {}
    const name = `Front office ${world.unique()}`
    const general: Record<string, unknown> = {
      workspaceId,
      ecosystemId,
      hotelId: ecosystemId,
      name,
      email: world.address(),
    }
    const body = JSON.stringify(operation.requestBody ?? {})
    if (path.includes('{id}') && !('id' in specialValues)) general['id'] = await recordOf(example)
    if (/memberIds?["}]/.test(path + body) && !('memberId' in specialValues)) {
      general['memberId'] = await world.member()
      general['memberIds'] = [general['memberId']]
    }
    if (/pageId["}]/.test(path + body) && !('pageId' in specialValues)) general['pageId'] = await world.page()
    return { ...callerOf(world, operation), ...special, values: { ...general, ...specialValues } }
  }

  async function send(
    example: Example,
    { values, token = world.token, key, headersFor }: CompleteInput,
    { repeatKey, headers: furtherHeaders, body: otherBody, urls = platform.urls }: SendOptions = {},
  ): Promise<ExampleAnswer> {
    const { service, operation, verb } = example
    const { parameters = [], requestBody } = operation
    let path = example.path
    const query = new URLSearchParams()
    for (const { name, in: place, required, example: exampleValue } of parameters) {
      const value = String(name in values ? values[name] : exampleValue)
      if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
      if (place === 'query' && required) query.set(name, value)
    }
    const headers: Record<string, string> = { 'user-agent': 'HotelApp/2.4.0' }
    if (token) headers['authorization'] = `Bearer ${token}`
    if (key) headers['x-api-key'] = key
    if (repeatKey) headers['idempotency-key'] = repeatKey
    let body: string | FormData | undefined
    let sentBody: unknown
    const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
    if (type === 'multipart/form-data') {
      body = new FormData()
      for (const [field, value] of Object.entries(media?.example as Record<string, string>))
        body.set(field, field === 'file' ? new Blob([value]) : value, ...(field === 'file' ? ['minutes.txt'] : []))
    } else if (type) {
      sentBody = filled(media?.example, values)
      body = JSON.stringify(sentBody)
      headers['content-type'] = 'application/json'
      Object.assign(headers, headersFor?.(body))
    }
    Object.assign(headers, furtherHeaders)
    body = otherBody ?? body
    const address = `${urls[service]}${path}${query.size > 0 ? `?${query}` : ''}`
    const response = await fetch(address, { method: verb, headers, ...(body === undefined ? {} : { body }) })
    const isJson = response.headers.get('content-type')?.includes('application/json')
    const text = await response.text()
    return { status: response.status, body: isJson ? JSON.parse(text) : undefined, path, sentBody }
  }

  return { inputFor, send }
}
