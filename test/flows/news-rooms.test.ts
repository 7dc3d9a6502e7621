import { type Json } from '../../cli/tour/client.ts'
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
  workspaceId = hotels.ours.workspace
  ada = await openSocket(platform.urls.news, hotels.ours.token)
  vic = await openSocket(platform.urls.news, hotels.viewer)
  eve = await openSocket(platform.urls.news, hotels.theirs.token)
})
test.after(async () => {
  for (const socket of [ada, vic, eve]) socket?.close()
})

const asAda = (status: number, method: string, path: string, body?: object): Promise<Json> =>
  expect(hotels.world, status, 'news', method, `/api/v1${path}`, {
    token: hotels.ours.token,
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

const told = ({ frames }: Socket, event: string, id: string) =>
  frames.filter(frame => frame.event === event && (frame.data['id'] === id || frame.data['pageId'] === id))

test('a publication is sent once to the room of the hotel and to that of its type, and to no other hotel', async () => {
  await ada.ask('joinWorkspace', workspaceId)
  await vic.ask('subscribeToTypes', { workspaceId, types: ['event', 'poll'] })
  assert.match(await refusedWith(eve, 'joinWorkspace', workspaceId), /403/)
  assert.match(await refusedWith(eve, 'subscribeToTypes', { workspaceId, types: ['event'] }), /403/)
  const [article, event] = [await create('Menu', 'published'), await create('Gala', 'published', 'event')]
  await eventually(() => told(ada, 'page.created', article).length > 0 && told(vic, 'page.created', event).length > 0)
  for (const one of [ada, vic, eve]) await one.ask('ping', undefined)
  const counts = [ada, vic, eve].map(one => [article, event].map(id => told(one, 'page.created', id).length))
  assert.equal(counts, [
    [1, 1],
    [0, 1],
    [0, 0],
  ])
})

test('comments and reactions are sent only to the room of their page', async () => {
  const [pageId, otherId] = [await create('Spa', 'published'), await create('Bar', 'published')]
  await vic.ask('joinPage', pageId)
  assert.match(await refusedWith(eve, 'joinPage', pageId), /404/)
  const comment = await asAda(201, 'POST', '/comments', { pageId, content: 'Open again' })
  await asAda(201, 'POST', '/comments', { pageId: otherId, content: 'Closed' })
  await asAda(201, 'POST', '/likes', { pageId, reactionType: 'wow' })
  const frame = await vic.next('comment.created')
  assert.equal([frame.data['id'], frame.data['content'], frame.data['pageId']], [comment['id'], 'Open again', pageId])
  assert.is((await vic.next('like.created')).data['reactionType'], 'wow')
  assert.equal(told(vic, 'comment.created', otherId), [])
  assert.equal(told(ada, 'comment.created', pageId), [])
})

for (const [way, hide] of Object.entries<(id: string) => Promise<unknown>>({
  unpublish: id => asAda(200, 'POST', `/pages/${id}/unpublish`),
  archive: id => asAda(200, 'POST', `/pages/${id}/archive`),
  change: id => asAda(200, 'PATCH', `/pages/${id}`, { status: 'draft' }),
}))
  test(`after ${way} readers leave the room, receive nothing more from it, and cannot join again`, async () => {
    const pageId = await create(`Soon gone by ${way}`, 'published')
    for (const socket of [ada, vic]) await socket.ask('joinPage', pageId)
    await hide(pageId)
    await eventually(() =>
      vic.frames.some(({ event, data }) => event === 'room:left' && data['room'] === `page:${pageId}`),
    )
    await asAda(201, 'POST', '/comments', { pageId, content: 'For editors' })
    await eventually(() => told(ada, 'comment.created', pageId).length === 1)
    assert.match(await refusedWith(vic, 'joinPage', pageId), /404/)
    assert.equal(told(vic, 'comment.created', pageId), [])
  })

test('the changes of a draft are sent only to its own room, which admits no reader', async () => {
  await vic.ask('joinWorkspace', workspaceId)
  await vic.ask('subscribeToTypes', { workspaceId, types: ['article'] })
  const inbox = await openSocket(platform.urls.notification, hotels.ours.token)
  const pageId = await create('Secret', 'draft')
  assert.match(await refusedWith(vic, 'joinPage', pageId), /404/)
  await ada.ask('joinPage', pageId)
  await asAda(200, 'PATCH', `/pages/${pageId}`, { title: 'More secret' })
  await asAda(200, 'POST', `/pages/${pageId}/schedule`, { scheduledAt: '2099-01-01T00:00:00Z' })
  await asAda(200, 'DELETE', `/pages/${pageId}`)
  const after = await create('Told after all that', 'published')
  const isAfter = (data: Json) => Object(data['data'])['id'] === after
  await eventually(() => told(vic, 'page.created', after).length === 1)
  await eventually(() => told(ada, 'page.deleted', pageId).length === 1)
  await eventually(() => inbox.frames.some(({ event, data }) => event === 'notification:new' && isAfter(data)))
  assert.equal(
    told(ada, 'page.updated', pageId).map(({ data }) => data['changes']),
    [{ title: 'More secret' }],
  )
  for (const socket of [vic, inbox]) assert.not.ok(JSON.stringify(socket.frames).includes(pageId))
  inbox.close()
})

test.run()
