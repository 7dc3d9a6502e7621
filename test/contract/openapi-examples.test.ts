import { getOption } from '@bufbuild/protobuf'
import { openSocket, type Socket } from '../../cli/tour/socket.ts'
import { listeners } from '../../edge/config.ts'
import { catalogue, type RestService } from '../../gen/catalogue.ts'
import { access as accessOption } from '../../gen/platform/options/v1/options_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { backUpMessages } from '../../services/kernel/bus/backup.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { twoHotels } from '../kit/platform/two-hotels.ts'
import { bindings } from '../kit/requests/example-bindings.ts'
import type { ExampleInput } from '../kit/requests/example-input.ts'
import { type ExampleWorld, exampleWorld } from '../kit/requests/example-world.ts'
import { type Document, documented, type Operation, openApi } from '../kit/requests/openapi.ts'
import { howToName, kindOf, makeRecord } from '../kit/requests/records.ts'
import { schemaProblems } from '../kit/requests/schema-check.ts'
import { addShape, lostShapes, type SeenShapes } from './seen-shapes.ts'

/*
 * Sends every example request of the OpenAPI documents unchanged, except for values that differ between platforms: ids,
 * addresses, tokens and unique names, which are bound by field name.
 */
const test = suite('examples of the OpenAPI documents')
const platform = await sharedPlatform()
let world: ExampleWorld
const sockets: Partial<Record<RestService, Socket>> = {}
const seen: SeenShapes = {}
test.before(async () => {
  world = exampleWorld(await twoHotels(platform))
  const { workspaceId, ecosystemId } = world
  const rooms: [RestService, Record<string, unknown>][] = [
    ['hotel', { joinHotel: ecosystemId }],
    ['member', { joinWorkspaces: [workspaceId], joinMember: (await world.me()).memberId }],
    ['news', { joinWorkspace: workspaceId }],
    // Its rooms are joined by connecting.
    ['notification', {}],
  ]
  for (const [service, joined] of rooms) {
    const socket = await openSocket(platform.urls[service], world.token)
    sockets[service] = socket
    for (const [event, data] of Object.entries(joined)) await socket.ask(event, data)
  }
})
test.after(() => {
  for (const socket of Object.values(sockets)) socket.close()
})
type Example = {
  id: string
  service: RestService
  path: string
  verb: string
  operation: Operation
  document: Document
}
const examples: Example[] = documented.flatMap(service => {
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

/** Replaces the values of bound fields, at any depth. */
function filled(value: unknown, bound: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map(one => filled(one, bound))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key in bound ? bound[key] : filled(one, bound)]),
  )
}

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

async function boundFor(example: Example): Promise<ExampleInput & { values: Record<string, unknown> }> {
  const { id, path, operation } = example
  const special = (await bindings[id]?.(world)) ?? {}
  const { workspaceId, ecosystemId } = world
  const chosen = special.values ?? {}
  const name = `Front office ${world.unique()}`
  const general: Record<string, unknown> = {
    workspaceId,
    ecosystemId,
    hotelId: ecosystemId,
    name,
    email: world.address(),
  }
  const body = JSON.stringify(operation.requestBody ?? {})
  if (path.includes('{id}') && !('id' in chosen)) general['id'] = await recordOf(example)
  if (/memberIds?["}]/.test(path + body) && !('memberId' in chosen)) {
    general['memberId'] = await world.member()
    general['memberIds'] = [general['memberId']]
  }
  if (/pageId["}]/.test(path + body) && !('pageId' in chosen)) general['pageId'] = await world.page()
  return { ...callerOf(operation), ...special, values: { ...general, ...chosen } }
}

/** The caller of an example without a binding: the hotel's administrator, the platform's, a service, or none. */
function callerOf({ security, 'x-callers': callers = [] }: Operation): ExampleInput {
  if (callers.includes('person') || security.some(one => Object.keys(one).length === 0)) return {}
  if (callers.includes('platform administrator')) return { token: world.root }
  return callers.includes('service key') ? { token: null, key: world.apiKey } : { token: null }
}

type Sent = { status: number; body: unknown; path: string; sent: unknown }
async function send(
  example: Example,
  { values, token = world.token, key, headersFor }: ExampleInput & { values: Record<string, unknown> },
  repeatKey?: string,
): Promise<Sent> {
  const { service, operation, verb } = example
  const { parameters = [], requestBody } = operation
  let path = example.path
  const query = new URLSearchParams()
  for (const { name, in: place, required, example: told } of parameters) {
    const value = String(name in values ? values[name] : told)
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    if (place === 'query' && required) query.set(name, value)
  }
  const headers: Record<string, string> = { 'user-agent': 'HotelApp/2.4.0' }
  if (token) headers['authorization'] = `Bearer ${token}`
  if (key) headers['x-api-key'] = key
  if (repeatKey) headers['idempotency-key'] = repeatKey
  let body: string | FormData | undefined
  let sent: unknown
  const [[type, media] = []] = [Object.entries(requestBody?.content ?? {})].map(all => all[0] ?? [])
  if (type === 'multipart/form-data') {
    body = new FormData()
    for (const [field, value] of Object.entries(media?.example as Record<string, string>))
      body.set(field, field === 'file' ? new Blob([value]) : value, ...(field === 'file' ? ['minutes.txt'] : []))
  } else if (type) {
    sent = filled(media?.example, values)
    body = JSON.stringify(sent)
    headers['content-type'] = 'application/json'
    Object.assign(headers, headersFor?.(body))
  }
  const address = `${platform.urls[service]}${path}${query.size > 0 ? `?${query}` : ''}`
  const response = await fetch(address, { method: verb, headers, ...(body === undefined ? {} : { body }) })
  const isJson = response.headers.get('content-type')?.includes('application/json')
  const text = await response.text()
  return { status: response.status, body: isJson ? JSON.parse(text) : undefined, path, sent }
}

const successOf = ({ operation }: Example): number =>
  Number(Object.keys(operation.responses).find(status => status < '300'))

/** Examples that can't succeed here, with the documented status they get instead, and the reason. */
const exceptions: Record<string, { status: number; why: string }> = {
  'hotel.ResumeSetup': {
    status: 409,
    why: 'only a parked run is taken up, and none is parked while the providers work',
  },
}

const isJson = ({ operation }: Example): boolean => 'application/json' in (operation.requestBody?.content ?? {})

for (const service of documented)
  test(`${service}: every example is answered as documented, with a body that is valid against its schema`, async () => {
    const problems: string[] = []
    const queue = examples.filter(one => one.service === service)
    const work = async () => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        try {
          const [bound, key] = [await boundFor(one), newId()]
          const { pageId } = bound.values
          if (typeof pageId === 'string') await sockets.news?.ask('joinPage', pageId).catch(() => undefined)
          const answer = await send(one, bound, key)
          addShape(seen, `${one.id} ${answer.status}`, answer.body ?? null)
          const expected = exceptions[one.id]?.status ?? successOf(one)
          const wrong = schemaProblems(service, {
            method: one.verb,
            path: answer.path,
            status: answer.status,
            requestBody: answer.sent,
            answerBody: answer.body,
          })
          if (answer.status !== expected || !wrong || wrong.length > 0)
            problems.push(
              `${one.id} ${one.verb} ${answer.path} ${JSON.stringify(answer.sent)} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 200)} ${wrong?.join('; ') ?? 'no such path'}`,
            )
          // Every creating route is repeatable, whichever service it belongs to.
          if (expected !== 201 || !isJson(one)) continue
          const again = await send(one, bound, key)
          if (again.status !== 201 || JSON.stringify(again.body) !== JSON.stringify(answer.body))
            problems.push(`${one.id}, sent again under its key → ${again.status} ${JSON.stringify(again.body)}`)
        } catch (error) {
          problems.push(`${one.id}: ${String(error)}`)
        }
      }
    }
    // Sequential for this service, because one of its operations redrives all dead letters.
    await Promise.all(Array.from({ length: service === 'notification' ? 1 : 4 }, work))
    assert.equal(problems.toSorted(), [])
  })

test('a 401 equals its example, except for the request id, on every operation with a credential', async () => {
  const guarded = examples.filter(
    ({ operation: { security } }) => security.length > 0 && !security.some(one => Object.keys(one).length === 0),
  )
  assert.ok(guarded.length > 200, `${guarded.length}`)
  for (const one of guarded) {
    const { status, body } = await send(one, { token: null, values: {} })
    addShape(seen, `${one.service} ${status}`, body)
    const prefix = one.service === 'legacyauth' ? 'Legacy' : ''
    const told =
      one.document.components['responses']?.[`${prefix}UnauthorizedError`]?.content?.['application/json']?.example
    assert.equal(
      [status, { ...(body as object), requestId: '' }],
      [401, { ...(told as object), requestId: '' }],
      one.id,
    )
  }
})

test('answers, events and frames have at least the fields that the last release had', async () => {
  for (const service of documented) {
    const unknown = await fetch(`${platform.urls[service]}/no/such/route`)
    addShape(seen, `${service} ${unknown.status}`, await unknown.json())
  }
  const look = async (): Promise<string[]> => {
    await backUpMessages(platform.bus.url, platform.bus.stream, false, async ({ subject, data }) => {
      // What the dead letters of the examples were before.
      if (!subject.includes('.test.'))
        addShape(seen, `event ${subject}`, JSON.parse(Buffer.from(data, 'base64').toString()))
    })
    for (const [service, { frames }] of Object.entries(sockets))
      for (const frame of frames) addShape(seen, `${service} frame ${frame.event}`, frame)
    return lostShapes(seen)
  }
  // The last events and frames may be on their way.
  await eventually(async () => (await look()).length === 0).catch(() => undefined)
  assert.equal(await look(), [])
})

test('every exception is an operation, and has a reason', () => {
  for (const [id, { why }] of Object.entries(exceptions)) assert.ok(examples.some(one => one.id === id) && why, id)
  for (const id of Object.keys(bindings))
    assert.ok(
      examples.some(one => one.id === id),
      id,
    )
  assert.ok(
    examples.length > 230 && Object.keys(exceptions).length < 15 && Object.keys(listeners).length === documented.length,
  )
})

test.run()
