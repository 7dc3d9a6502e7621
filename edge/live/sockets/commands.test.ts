import { Direction } from '../../../gen/platform/options/v1/options_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { startWorld } from '../../../test/kit/live/live.ts'
import type { LivePerson, Page } from '../../../test/kit/live/services.ts'
import type * as BrowserClient from '../client/client.js'
import { clientScript } from '../client/client-file.ts'
import { frameOf, framesGoing } from '../frames.ts'
import { commands } from './commands.ts'

const test = suite('client frames')

const [workspaceId, ecosystemId, otherWorkspace, otherHotel] = [newId(), newId(), newId(), newId()]
const person = (workspace: string, ecosystem: string, permissions: string[] = []): LivePerson => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [{ workspaceId: workspace, ecosystemId: ecosystem, permissions }],
})
const ana = person(workspaceId, ecosystemId, ['manage_settings'])
const ben = person(workspaceId, ecosystemId)
const eve = person(otherWorkspace, otherHotel, ['manage_settings'])
const root: LivePerson = { userId: newId(), memberId: newId(), workspaces: [], isSuperAdmin: true }
const page: Page = { id: newId(), workspaceId }
const draft: Page = { id: newId(), workspaceId, draftOf: ana.memberId }
const foreignPage: Page = { id: newId(), workspaceId: otherWorkspace }

const world = await startWorld([ana, ben, eve, root], [page, draft, foreignPage], { socketsPerMember: 50 })
test.after(() => world.end())

test('every client frame of the contract has its command', () => {
  const declaredEvents = framesGoing(Direction.CLIENT).map(desc => frameOf(desc).event)
  assert.equal([...commands.keys()].sort(), declaredEvents.sort())
})

const admitted: [service: string, event: string, data: unknown, rooms: string[]][] = [
  ['hotel', 'joinHotel', ecosystemId, [`hotel:${ecosystemId}`]],
  ['member', 'joinWorkspaces', [workspaceId], [`workspace:${workspaceId}`]],
  ['member', 'joinMember', ben.memberId, [`member:${ben.memberId}`]],
  ['news', 'joinWorkspace', workspaceId, [`workspace:${workspaceId}`]],
  ['news', 'joinPage', page.id, [`page:${page.id}`]],
  [
    'news',
    'subscribeToTypes',
    { workspaceId, types: ['feed', 'poll'] },
    [`workspace:${workspaceId}:type:feed`, `workspace:${workspaceId}:type:poll`],
  ],
]
for (const [service, event, data, rooms] of admitted)
  test(`${event} joins the caller’s own rooms, and its counterpart leaves them`, async () => {
    const client = await world.open(service, ben)
    assert.equal(await client.ask(event, data).then(({ event: name, data: body }) => [name, body['rooms']]), [
      'ack',
      rooms,
    ])
    const counterpart = event === 'subscribeToTypes' ? 'unsubscribeFromTypes' : event.replace('join', 'leave')
    assert.equal((await client.ask(counterpart, data)).data['rooms'], rooms)
    assert.equal((await client.ask(counterpart, data)).data['rooms'], [])
    client.ws.close()
  })

test('a room named twice, in any case, is joined and reported once', async () => {
  const client = await world.open('news', ben)
  const rooms = async (event: string, data: unknown) => (await client.ask(event, data)).data['rooms']
  assert.equal(await rooms('subscribeToTypes', { workspaceId, types: ['feed', 'Feed'] }), [
    `workspace:${workspaceId}:type:feed`,
  ])
  assert.equal(await rooms('unsubscribeFromTypes', { workspaceId, types: ['feed', 'feed'] }), [
    `workspace:${workspaceId}:type:feed`,
  ])
  client.ws.close()
})

const refusals: [title: string, service: string, event: string, data: unknown, status: number, message: string][] = [
  ['another hotel', 'hotel', 'joinHotel', otherHotel, 403, 'Ecosystem access denied'],
  ['a list of foreign workspaces', 'member', 'joinWorkspaces', [otherWorkspace], 403, 'Workspace access denied'],
  ['another member', 'member', 'joinMember', ana.memberId, 403, 'Permission denied'],
  ['another workspace', 'news', 'joinWorkspace', otherWorkspace, 403, 'Workspace access denied'],
  [
    'types of another workspace',
    'news',
    'subscribeToTypes',
    { workspaceId: otherWorkspace, types: ['feed'] },
    403,
    'Workspace access denied',
  ],
  ['a page of another workspace', 'news', 'joinPage', foreignPage.id, 404, 'Page not found'],
  ['a page that does not exist', 'news', 'joinPage', newId(), 404, 'Page not found'],
  ["somebody else's draft", 'news', 'joinPage', draft.id, 404, 'Page not found'],
  ['settings of another hotel', 'hotel', 'settingsUpdated', { hotelId: otherHotel }, 403, 'Ecosystem access denied'],
  ['settings without the permission', 'hotel', 'settingsUpdated', { hotelId: ecosystemId }, 403, 'Permission denied'],
]
for (const [title, service, event, data, status, message] of refusals)
  test(`${event} refuses ${title}`, async () => {
    const client = await world.open(service, ben)
    const answer = await client.ask(event, data)
    assert.equal([answer.event, answer.data['statusCode'], answer.data['message']], ['error', status, message])
    client.ws.close()
  })

test('a list joins the rooms that are allowed, and names the others', async () => {
  const client = await world.open('member', ben)
  const { event, data } = await client.ask('joinWorkspaces', [otherWorkspace, workspaceId, newId()])
  const [joined, foreign, ...unknown] = [data['rooms'], ...(data['refused'] as string[])]
  assert.equal(
    [event, joined, foreign, unknown.length],
    ['ack', [`workspace:${workspaceId}`], `workspace:${otherWorkspace}`, 1],
  )
  const answer = await client.ask('joinWorkspaces', [workspaceId])
  assert.equal([answer.data['rooms'], 'refused' in answer.data], [[`workspace:${workspaceId}`], false])
  assert.equal((await client.ask('leaveWorkspaces', [workspaceId, otherWorkspace])).data['rooms'], [
    `workspace:${workspaceId}`,
  ])
  client.ws.close()
})

test('the author joins the room of their draft', async () => {
  const client = await world.open('news', ana)
  assert.is((await client.ask('joinPage', draft.id)).event, 'ack')
  client.ws.close()
})

test('a platform administrator joins any existing workspace and no other', async () => {
  const client = await world.open('news', root)
  assert.is((await client.ask('joinWorkspace', workspaceId)).event, 'ack')
  assert.is((await client.ask('joinWorkspace', newId())).data['statusCode'], 404)
  client.ws.close()
})

type InvalidFrame = [title: string, service: string, frame: unknown, path: string, rule: string]
const invalidFrames: InvalidFrame[] = [
  ['an unknown event', 'news', { event: 'nonsense' }, 'event', 'unknown_event'],
  ['a frame of another port', 'news', { event: 'joinHotel', data: ecosystemId }, 'event', 'unknown_event'],
  ['no event', 'news', { data: 1 }, 'event', 'unknown_event'],
  ['a name of every object', 'news', { event: 'constructor' }, 'event', 'unknown_event'],
  ['a further key', 'news', { event: 'ping', room: 'x' }, 'room', 'unknown_field'],
  ['an id of a wrong type', 'news', { event: 'ping', id: {} }, 'id', 'type'],
  ['no object', 'news', ['ping'], 'frame', 'type'],
  ['a list for an object', 'news', { event: 'subscribeToTypes', data: [workspaceId] }, 'data', 'type'],
  ['null for an object', 'news', { event: 'ping', data: null }, 'data', 'type'],
  ['a malformed id', 'news', { event: 'joinPage', data: 'x' }, 'pageId', 'string.pattern'],
  ['an object for an id', 'news', { event: 'joinPage', data: { pageId: page.id } }, 'pageId', 'type'],
  ['no data', 'hotel', { event: 'joinHotel' }, 'hotelId', 'string.pattern'],
  ['null', 'hotel', { event: 'joinHotel', data: null }, 'hotelId', 'type'],
  [
    'a bad id in a list',
    'member',
    { event: 'joinWorkspaces', data: [workspaceId, '1'] },
    'workspaceIds[1]',
    'string.pattern',
  ],
  [
    '101 ids',
    'member',
    { event: 'joinWorkspaces', data: Array(101).fill(workspaceId) },
    'workspaceIds',
    'repeated.max_items',
  ],
  [
    'a wrong type in an object',
    'news',
    { event: 'subscribeToTypes', data: { workspaceId, types: [1] } },
    'types[0]',
    'type',
  ],
  ['settings of no hotel', 'hotel', { event: 'settingsUpdated', data: { x: 1 } }, 'hotelId', 'string.pattern'],
  [
    'settings of more than 16 KiB',
    'hotel',
    { event: 'settingsUpdated', data: { hotelId: ecosystemId, x: 'x'.repeat(16 * 1024) } },
    'data',
    'string.max_bytes',
  ],
  ['settings that are a list', 'hotel', { event: 'settingsUpdated', data: [ecosystemId] }, 'data', 'type'],
]
for (const [title, service, frame, path, rule] of invalidFrames)
  test(`a frame with ${title} is answered with the invalid field, even without an id`, async () => {
    const client = await world.open(service, ben)
    client.send(frame)
    const { data } = await client.next('error')
    const [violation] = data['violations'] as { path: string; rule: string }[]
    assert.equal([data['statusCode'], violation?.path, violation?.rule], [400, path, rule])
    client.ws.close()
  })

test('a message that is not JSON or not text is an error and keeps the socket open', async () => {
  const client = await world.open('news', ben)
  client.ws.send('{nonsense')
  assert.is((await client.next('error')).data['error'], 'ValidationError')
  client.ws.send(Buffer.from('{"event":"ping"}'))
  assert.is((await client.next('error')).data['statusCode'], 400)
  client.ws.send(`{"event":"ping","data":${'['.repeat(40)}${']'.repeat(40)}}`)
  assert.is((await client.next('error')).data['statusCode'], 400)
  client.send({ event: 'ping' })
  assert.equal((await client.next('ack')).data['rooms'], [])
  client.ws.close()
})

test('an ack is sent only for a frame with an id', async () => {
  const client = await world.open('news', ben)
  client.send({ event: 'joinWorkspace', data: workspaceId })
  client.send({ event: 'joinWorkspace', data: workspaceId, id: null, offset: null })
  client.send({ event: 'leaveWorkspace', data: workspaceId, id: 7 })
  assert.equal(await client.next('ack'), { event: 'ack', data: { rooms: [`workspace:${workspaceId}`] }, id: 7 })
  assert.equal(client.frames, [])
  client.ws.close()
})

test('frames are answered in order', async () => {
  const client = await world.open('news', ben)
  const ids = Array.from({ length: 30 }, (_, index) => index)
  for (const id of ids) client.send({ event: id % 2 ? 'leavePage' : 'joinPage', data: page.id, id })
  await client.ask('ping')
  assert.equal(
    client.frames.map(({ id }) => id),
    ids,
  )
  assert.ok(client.frames.every(({ data }) => (data['rooms'] as string[]).length === 1))
  client.ws.close()
})

test('settingsUpdated from a manager of the hotel is sent to its room', async () => {
  const listener = await world.open('hotel', ben)
  await listener.ask('joinHotel', ecosystemId)
  const outsider = await world.open('hotel', eve)
  const manager = await world.open('hotel', ana)
  const data = {
    hotelId: ecosystemId,
    timezone: 'Europe/Paris',
    enable_push: false,
    logo_url: null,
    theme: { dark: [1] },
  }
  const typed = { ...data, hotelId: ecosystemId.toUpperCase() }
  assert.is((await manager.ask('settingsUpdated', typed)).event, 'ack')
  assert.equal((await listener.next('settings:updated')).data, data)
  await outsider.ask('ping')
  assert.equal(outsider.frames, [])
  for (const { ws } of [listener, outsider, manager]) ws.close()
})

test('a new token of the same person keeps the socket open, and one of another person closes it with 4401', async () => {
  const client = await world.open('news', ben)
  assert.equal((await client.ask('auth', world.tokenOf(ben))).data['rooms'], [])
  client.send({ event: 'auth', data: world.tokenOf(ana) })
  assert.is(await client.closed(), 4401)
})

test('two parts of a page share a room, which the client leaves with the last of them', async () => {
  const { connect } = (await import(`data:text/javascript,${encodeURIComponent(clientScript)}`)) as typeof BrowserClient
  const opening = Promise.withResolvers<void>()
  const gaps: string[] = []
  const live = connect({
    url: `${world.addressOf('news')}/ws`,
    token: () => world.tokenOf(ana),
    gap: event => gaps.push(event),
    state: state => void (state === 'open' && opening.resolve()),
  })
  await opening.promise
  const [header] = [live.join('joinWorkspace', workspaceId), live.join('joinWorkspace', workspaceId)]
  header()
  header()
  assert.equal((await live.send('leaveWorkspace', workspaceId))['rooms'], [`workspace:${workspaceId}`])
  for (const stop of [live.join('joinPage', page.id), live.join('joinPage', page.id)]) stop()
  assert.equal((await live.send('leavePage', page.id))['rooms'], [])
  const subscribe = (...types: string[]) => live.join('subscribeToTypes', { workspaceId, types })
  const [stopBoth] = [subscribe('feed', 'menu'), subscribe('menu')]
  await live.send('ping')
  stopBoth()
  await live.send('ping')
  const { rooms } = await live.send('unsubscribeFromTypes', { workspaceId, types: ['feed', 'menu'] })
  assert.equal([rooms, gaps], [[`workspace:${workspaceId}:type:menu`], []])
  live.close()
})

test('the browser client gets the list of presence again after an interruption, and reports no gap', async () => {
  const { connect } = (await import(`data:text/javascript,${encodeURIComponent(clientScript)}`)) as typeof BrowserClient
  const { WebSocket } = globalThis
  const sockets: InstanceType<typeof WebSocket>[] = []
  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL) {
      super(url)
      sockets.push(this)
    }
  }
  const gaps: string[] = []
  let lists = 0
  const url = `${world.addressOf('news')}/ws`
  const live = connect({ url, token: () => world.tokenOf(ana), gap: event => gaps.push(event) })
  live.on('presence:list', () => lists++)
  live.join('joinPresence', workspaceId, error => assert.unreachable(JSON.stringify(error)))
  try {
    await eventually(() => lists === 1)
    sockets[0]?.close()
    await eventually(() => lists === 2)
    assert.equal(gaps, [])
  } finally {
    live.close()
    globalThis.WebSocket = WebSocket
  }
})

test('the browser client reports the rooms of a list that were refused', async () => {
  const { connect } = (await import(`data:text/javascript,${encodeURIComponent(clientScript)}`)) as typeof BrowserClient
  let tries = 0
  // Without a token it tries again later.
  const token = () => (tries++ > 0 ? world.tokenOf(ben) : undefined)
  const live = connect({ url: `${world.addressOf('member')}/ws`, token })
  const refusal = Promise.withResolvers<unknown>()
  live.join('joinWorkspaces', [workspaceId, otherWorkspace], refusal.resolve)
  const error = Object(await refusal.promise)
  assert.equal([error.statusCode, error.refused], [403, [`workspace:${otherWorkspace}`]])
  assert.equal((await live.send('leaveWorkspaces', [workspaceId]))['rooms'], [`workspace:${workspaceId}`])
  live.close()
})

test('an error thrown by a page’s listener is reported, and other listeners still receive the frame', async () => {
  const { connect } = (await import(`data:text/javascript,${encodeURIComponent(clientScript)}`)) as typeof BrowserClient
  const reportedErrors: unknown[] = []
  Object.assign(globalThis, { reportError: (error: unknown) => reportedErrors.push(error) })
  const faulty = (name: string) => () => {
    throw new Error(name)
  }
  const opening = Promise.withResolvers<void>()
  const [refusal, receivedFrame] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()]
  const live = connect({
    url: `${world.addressOf('news')}/ws`,
    token: () => world.tokenOf(ana),
    on: event => event === 'n' && faulty('any')(),
    state: state => {
      if (state === 'open') opening.resolve()
      throw new Error(state)
    },
  })
  try {
    live.on('n', faulty('the first'))
    live.on('n', data => receivedFrame.resolve(data))
    await opening.promise
    live.join('joinWorkspace', newId(), () => {
      refusal.resolve()
      throw new Error('refused')
    })
    await refusal.promise
    live.join('joinWorkspace', workspaceId)
    await live.send('ping')
    world.publish([`workspace:${workspaceId}`], 'n', { n: 1 })
    assert.equal(await receivedFrame.promise, { n: 1 })
    const messages = () => reportedErrors.map(error => (error as Error).message)
    assert.equal(messages(), ['connecting', 'open', 'refused', 'any', 'the first'])
    live.close()
    await eventually(() => messages().at(-1) === 'closed')
  } finally {
    Reflect.deleteProperty(globalThis, 'reportError')
  }
})

test.run()
