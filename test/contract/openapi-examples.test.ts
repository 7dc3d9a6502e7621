import { openSocket, type Socket } from '../../cli/tour/socket.ts'
import { listeners } from '../../edge/config.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { backUpMessages } from '../../services/kernel/bus/backup.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { secondEdge } from '../kit/platform/second-edge.ts'
import { secondServices } from '../kit/platform/second-services.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { twoHotels } from '../kit/platform/two-hotels.ts'
import { bindings } from '../kit/requests/example-bindings.ts'
import { type ExampleWorld, exampleWorld } from '../kit/requests/example-world.ts'
import { documentedServices } from '../kit/requests/openapi.ts'
import { schemaProblems } from '../kit/requests/schema-check.ts'
import { type Example, type ExampleAnswer, exampleCalls, examples, isJson, successOf } from './example-calls.ts'
import {
  causeConnectionFrames,
  causeMemberEvents,
  causeNewsFrames,
  causeSubscriptionFrame,
} from './recorded/occasions.ts'
import { isPlainRead, refusals } from './recorded/refusals.ts'
import { addShape, lostShapes, type SeenShapes } from './recorded/seen-shapes.ts'

/*
 * Sends every example request of the OpenAPI documents unchanged, except for values that differ between platforms: ids,
 * addresses, tokens and unique names, which are bound by field name.
 */
const test = suite('examples of the OpenAPI documents')
const platform = await sharedPlatform()
let world: ExampleWorld
let viewer: string
let calls: ReturnType<typeof exampleCalls>
const sockets: Partial<Record<RestService, Socket>> = {}
let visits: [RestService, Socket][] = []
const seenShapes: SeenShapes = {}
test.before(async () => {
  const hotels = await twoHotels(platform)
  viewer = hotels.viewer
  world = exampleWorld(hotels)
  calls = exampleCalls(platform, world)
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
/** Examples that can't succeed here, with the documented status they get instead, and the reason. */
const exceptions: Record<string, { status: number; why: string }> = {
  'hotel.ResumeSetup': {
    status: 409,
    why: 'only a parked run is taken up, and none is parked while the providers work',
  },
}

for (const service of documentedServices)
  test(`${service}: every example is answered as documented, with a body that is valid against its schema`, async () => {
    const problems: string[] = []
    const queue = examples.filter(one => one.service === service)
    const work = async () => {
      for (let one = queue.shift(); one; one = queue.shift()) {
        try {
          const [input, repeatKey] = [await calls.inputFor(one), newId()]
          const { pageId } = input.values
          if (typeof pageId === 'string') await sockets.news?.ask('joinPage', pageId).catch(() => undefined)
          const answer = await calls.send(one, input, { repeatKey })
          addShape(seenShapes, `${one.id} ${answer.status}`, answer.body ?? null)
          const expected = exceptions[one.id]?.status ?? successOf(one)
          const wrong = schemaProblems(service, {
            method: one.verb,
            path: answer.path,
            status: answer.status,
            requestBody: answer.sentBody,
            answerBody: answer.body,
          })
          if (answer.status !== expected || !wrong || wrong.length > 0)
            problems.push(
              `${one.id} ${one.verb} ${answer.path} ${JSON.stringify(answer.sentBody)} → ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 200)} ${wrong?.join('; ') ?? 'no such path'}`,
            )
          // Every creating route is repeatable, whichever service it belongs to.
          if (expected !== 201 || !isJson(one)) continue
          const retry = await calls.send(one, input, { repeatKey })
          if (retry.status !== 201 || JSON.stringify(retry.body) !== JSON.stringify(answer.body))
            problems.push(`${one.id}, sent again under its key → ${retry.status} ${JSON.stringify(retry.body)}`)
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
  const guardedExamples = examples.filter(
    ({ operation: { security } }) => security.length > 0 && !security.some(one => Object.keys(one).length === 0),
  )
  assert.ok(guardedExamples.length > 200, `${guardedExamples.length}`)
  for (const one of guardedExamples) {
    const { status, body } = await calls.send(one, { token: null, values: {} })
    addShape(seenShapes, `${one.service} ${status}`, body)
    const prefix = one.service === 'legacyauth' ? 'Legacy' : ''
    const documentedError =
      one.document.components['responses']?.[`${prefix}UnauthorizedError`]?.content?.['application/json']?.example
    assert.equal(
      [status, { ...(body as object), requestId: '' }],
      [401, { ...(documentedError as object), requestId: '' }],
      one.id,
    )
  }
})

/** Records an answer. @returns what is wrong with it */
function wrongIn(example: Example, expected: number, { status, path, sentBody, body }: ExampleAnswer): string[] {
  const { id, service, verb } = example
  addShape(seenShapes, `${service} ${status}`, body)
  const wrong = schemaProblems(service, { method: verb, path, status, requestBody: sentBody, answerBody: body })
  const isWrong = status !== expected || wrong?.length !== 0
  return isWrong ? [`${id} → ${status}, not ${expected} ${JSON.stringify(body)} ${wrong?.join('; ')}`] : []
}

test('every service refuses as documented', async () => {
  const problems: string[] = []
  for (const service of documentedServices)
    for (const { status, fits, call } of refusals(viewer, world)) {
      const example = examples.find(one => one.service === service && fits(one))
      if (example) problems.push(...wrongIn(example, status, await call(calls, example)))
    }
  assert.equal(problems, [])
})

test('every service refuses too many calls, and the edge answers for one that is stopped', async () => {
  const services = await secondServices(platform, { RATE_LIMIT_PER_MINUTE: '1' })
  const edge = await secondEdge(platform, services.env)
  const problems: string[] = []
  const send = async (expected: number) => {
    for (const service of documentedServices) {
      const example = examples.find(one => one.service === service && isPlainRead(one))
      assert.ok(example, service)
      const input = await calls.inputFor(example)
      let answer = await calls.send(example, input, { urls: edge.urls })
      for (let sentCount = 1; sentCount < 3 && answer.status < 300; sentCount++)
        answer = await calls.send(example, input, { urls: edge.urls })
      problems.push(...wrongIn(example, expected, answer))
    }
  }
  try {
    await send(429)
    await services.stop()
    await send(503)
  } finally {
    await edge.stop()
    await services.stop()
  }
  assert.equal(problems, [])
})

test('the other events and frames are sent', async () => {
  visits = await causeConnectionFrames(platform, world, sockets)
  await causeNewsFrames(world, sockets.news)
  await causeSubscriptionFrame(world, sockets.hotel)
  await causeMemberEvents(world)
})

test('answers, events and frames have at least the fields that the last release had', async () => {
  for (const service of documentedServices) {
    const unknown = await fetch(`${platform.urls[service]}/no/such/route`)
    addShape(seenShapes, `${service} ${unknown.status}`, await unknown.json())
  }
  const findLostShapes = async (): Promise<string[]> => {
    await backUpMessages(platform.bus.url, platform.bus.stream, false, async ({ subject, data }) => {
      // What the dead letters of the examples were before.
      if (!subject.includes('.test.'))
        addShape(seenShapes, `event ${subject}`, JSON.parse(Buffer.from(data, 'base64').toString()))
    })
    for (const [service, { frames }] of [...Object.entries(sockets), ...visits])
      for (const frame of frames) addShape(seenShapes, `${service} frame ${frame.event}`, frame)
    return lostShapes(seenShapes)
  }
  // The last events and frames may be on their way.
  await eventually(async () => (await findLostShapes()).length === 0).catch(() => undefined)
  assert.equal(await findLostShapes(), [])
})

test('every exception is an operation, and has a reason', () => {
  for (const [id, { why }] of Object.entries(exceptions)) assert.ok(examples.some(one => one.id === id) && why, id)
  for (const id of Object.keys(bindings))
    assert.ok(
      examples.some(one => one.id === id),
      id,
    )
  assert.ok(
    examples.length > 230 &&
      Object.keys(exceptions).length < 15 &&
      Object.keys(listeners).length === documentedServices.length,
  )
})

test.run()
