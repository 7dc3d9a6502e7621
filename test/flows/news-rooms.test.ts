import { type LooseJson } from '../../cli/tour/client.ts'
import { openSocket, type Socket } from '../../cli/tour/socket.ts'
import { expect } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'

const test = suite('rooms of the news service')
let platform: Platform
let hotels: TwoHotels
let workspaceId: string
let ada: Socket
let vic: Socket
let eve: Socket

test.before(async () => {
  platform = await sharedPlatform()
  hotels = await twoHotels(platform)
  workspaceId = hotels.ownHotel.workspace
  ada = await openSocket(platform.urls.news, hotels.ownHotel.token)
  vic = await openSocket(platform.urls.news, hotels.viewer)
  eve = await openSocket(platform.urls.news, hotels.otherHotel.token)
})
test.after(async () => {
  for (const socket of [ada, vic, eve]) socket?.close()
})

const asAda = (status: number, method: string, path: string, body?: object): Promise<LooseJson> =>
  expect(hotels.world, status, 'news', method, `/api/v1${path}`, {
    token: hotels.ownHotel.token,
    ...(body ? { body } : {}),
  })

const create = async (title: string, status: string, pageType = 'article'): Promise<string> =>
  String((await asAda(201, 'POST', '/pages', { title, content: {}, workspaceId, status, pageType }))['id'])

/** The reason for which a frame was refused. */
const refusedWith = (socket: Socket, event: string, data: unknown): Promise<string> =>
  socket.ask(event, data).then(
    () => 'not refused',
    (error: unknown) => String(error),
  )

const findFrames = ({ frames }: Socket, event: string, id: string) =>
  frames.filter(frame => frame.event === event && (frame.data['id'] === id || frame.data['pageId'] === id))

test('the changes of a draft are sent only to its own room, which admits no reader', async () => {
  await vic.ask('joinWorkspace', workspaceId)
  await vic.ask('subscribeToTypes', { workspaceId, types: ['article'] })
  const inbox = await openSocket(platform.urls.notification, hotels.ownHotel.token)
  const pageId = await create('Secret', 'draft')
  assert.match(await refusedWith(vic, 'joinPage', pageId), /404/)
  await ada.ask('joinPage', pageId)
  await asAda(200, 'PATCH', `/pages/${pageId}`, { title: 'More secret' })
  await asAda(200, 'POST', `/pages/${pageId}/schedule`, { scheduledAt: '2099-01-01T00:00:00Z' })
  await asAda(200, 'DELETE', `/pages/${pageId}`)
  const after = await create('Told after all that', 'published')
  const isAfter = (data: LooseJson) => Object(data['data'])['id'] === after
  await eventually(() => findFrames(vic, 'page.created', after).length === 1)
  await eventually(() => findFrames(ada, 'page.deleted', pageId).length === 1)
  await eventually(() => inbox.frames.some(({ event, data }) => event === 'notification:new' && isAfter(data)))
  assert.equal(
    findFrames(ada, 'page.updated', pageId).map(({ data }) => data['changes']),
    [{ title: 'More secret' }],
  )
  for (const socket of [vic, inbox]) assert.not.ok(JSON.stringify(socket.frames).includes(pageId))
  inbox.close()
})

test.run()
