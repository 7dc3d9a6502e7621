import { type Json, type Urls } from '../../cli/tour/client.ts'
import { openSocket, type Socket } from '../../cli/tour/socket.ts'
import { expect } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { secondEdge } from '../kit/platform/second-edge.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'

/** Two edge processes on one bus; Vic's phone is connected to one and his computer to the other. */
const test = suite('sockets of two edge processes')
let platform: Platform
let other: { urls: Urls; stop(): Promise<void> }
let hotels: TwoHotels
let phone: Socket
let computer: Socket
const path = '/api/v1/notifications'

test.before(async () => {
  platform = await sharedPlatform()
  other = await secondEdge(platform)
  hotels = await twoHotels(platform)
  phone = await openSocket(platform.urls.notification, hotels.viewer)
  computer = await openSocket(other.urls.notification, hotels.viewer)
})
test.after(async () => {
  phone?.close()
  computer?.close()
  await other?.stop()
})

const asVic = (method: string, where = '', status = 200): Promise<Json> =>
  expect(hotels.world, status, 'notification', method, `${path}${where}`, { token: hotels.viewer })

/** Ids of Vic's notifications, newest first. */
const listed = async (): Promise<string[]> => {
  const data: Json[] = (await asVic('GET'))['data'] ?? []
  return data.map(one => String(one['id']))
}

/** Ada publishes a page. */
async function write(title: string): Promise<string> {
  const page = await expect(hotels.world, 201, 'news', 'POST', '/api/v1/pages', {
    token: hotels.ours.token,
    body: {
      title,
      content: { blocks: [] },
      excerpt: title,
      pageType: 'article',
      workspaceId: hotels.ours.workspace,
      status: 'published',
    },
  })
  return String(page['id'])
}

/** The same, and waits until Vic is notified. */
async function publish(title: string): Promise<string> {
  const id = await write(title)
  await eventually(async () => JSON.stringify((await asVic('GET'))['data']).includes(title))
  return id
}

/** A socket's frames that announce a notification with this title. */
const newsOf = ({ frames }: Socket, title: string) =>
  frames.filter(({ event, data }) => event === 'notification:new' && String(data['title']).includes(title))

/** The unread count last sent to a socket. */
const lastTold = ({ frames }: Socket): unknown =>
  frames.findLast(({ data }) => 'unread' in Object(data))?.data['unread']

/** Waits until every source of the unread count agrees on this number. */
async function unread(wanted: number): Promise<void> {
  let told: unknown[] = []
  const agree = async () => {
    const [counted, list] = [await asVic('GET', '/unread-count'), await asVic('GET')]
    const byType = Object.values(counted['byType'] ?? {}).reduce<number>((sum, each) => sum + Number(each), 0)
    told = [counted['count'], byType, list['meta']?.['unread'], lastTold(phone), lastTold(computer)]
    return told.every(each => each === wanted)
  }
  await eventually(agree).catch(() => undefined)
  assert.equal(told, [wanted, wanted, wanted, wanted, wanted], 'count, byType, meta.unread, phone, computer')
}

test('a notification reaches the sockets of both, once each', async () => {
  await asVic('POST', '/read-all')
  await publish('The spa closes at nine')
  for (const socket of [phone, computer]) await eventually(() => newsOf(socket, 'The spa closes at nine').length > 0)
  const [first, second] = [phone, computer].map(socket => newsOf(socket, 'The spa closes at nine')[0])
  assert.equal(first?.data, second?.data)
  await Promise.all([phone.next('notification:count'), computer.next('notification:count')])
  await publish('The bar opens at six')
  for (const socket of [phone, computer]) {
    await eventually(() => newsOf(socket, 'The bar opens at six').length > 0)
    const counts = ['The spa closes at nine', 'The bar opens at six'].map(title => newsOf(socket, title).length)
    assert.equal(counts, [1, 1])
  }
})

test('a room spans both: frames published by one port, or sent by a socket of one, reach the other', async () => {
  const news = [await openSocket(platform.urls.news, hotels.viewer), await openSocket(other.urls.news, hotels.viewer)]
  for (const socket of news) await socket.ask('joinWorkspace', hotels.ours.workspace)
  const id = await publish('Breakfast until ten')
  for (const socket of news) assert.is((await socket.next('page.created')).data['id'], id)
  for (const socket of news) socket.close()

  const ada = await openSocket(platform.urls.hotel, hotels.ours.token)
  const desk = await openSocket(other.urls.hotel, hotels.ours.token)
  for (const socket of [ada, desk]) await socket.ask('joinHotel', hotels.ours.ecosystem)
  await ada.ask('settingsUpdated', { hotelId: hotels.ours.ecosystem, currency: 'CHF' })
  assert.is((await desk.next('settings:updated')).data['currency'], 'CHF')
  for (const socket of [ada, desk]) socket.close()
})

test('a notification read on one device is read on the other', async () => {
  await asVic('POST', '/read-all')
  await unread(0)
  await publish('Lunch in the garden')
  await unread(1)
  const newest = (await asVic('GET'))['data']?.[0]
  await asVic('PATCH', `/${newest?.['id']}/read`)
  const isIt = ({ event, data }: Socket['frames'][number]) =>
    event === 'notification:read' && data['id'] === newest?.['id']
  for (const socket of [phone, computer]) {
    const frame = await eventually(() => socket.frames.find(isIt))
    assert.equal(frame.data, { id: newest?.['id'], unread: 0 })
  }
  await unread(0)
})

test('list, count and every socket agree after each change', async () => {
  await asVic('POST', '/read-all')
  await unread(0)
  for (const title of ['One', 'Two', 'Three', 'Four']) await publish(title)
  await unread(4)
  const [first, second, third] = await listed()
  const steps: [method: string, where: string, left: number][] = [
    ['PATCH', `/${first}/read`, 3],
    ['PATCH', `/${first}/read`, 3],
    ['PATCH', `/${first}/unread`, 4],
    ['DELETE', `/${second}`, 3],
    ['DELETE', `/${second}`, 3],
    ['PATCH', `/${third}/click`, 2],
    ['DELETE', `/${third}`, 2],
    ['PATCH', `/${second}/unarchive`, 3],
    ['POST', '/read-all', 0],
    ['PATCH', `/${first}/unread`, 1],
  ]
  for (const [method, where, left] of steps) {
    await asVic(method, where)
    await unread(left)
  }
})

test('many simultaneous events, published and read in any order, end with one number everywhere', async () => {
  await asVic('POST', '/read-all')
  await unread(0)
  const titles = Array.from({ length: 12 }, (_, at) => `Many ${at}`)
  await Promise.all(titles.map(write))
  await unread(12)
  const ids = await listed()
  await Promise.all([
    ...ids.slice(0, 5).map(id => asVic('PATCH', `/${id}/read`)),
    ...ids.slice(3, 7).map(id => asVic('DELETE', `/${id}`)),
    write('Late'),
  ])
  await unread(6)
})

test('a killed edge process loses no frame: the next one catches up, and presence drops it', async () => {
  const news = await openSocket(platform.urls.news, hotels.ours.token)
  await news.ask('joinPresence', hotels.ours.workspace)
  const doomed = await secondEdge(platform)
  const client = await openSocket(doomed.urls.news, hotels.viewer)
  const { data } = await client.ask('joinWorkspace', hotels.ours.workspace)
  // Connected before the others close, so that Vic never counts as gone.
  const back = await openSocket(other.urls.news, hotels.viewer)
  phone.close()
  computer.close()
  doomed.kill()
  const id = await write('While nobody listened')
  const answer = await back.ask('joinWorkspace', hotels.ours.workspace, String(data['offset']))
  assert.is(answer.data['recovered'], true)
  assert.is((await back.next('page.created')).data['id'], id)
  assert.is(back.frames.filter(({ event }) => event === 'page.created').length, 1)
  const { memberId } = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token: hotels.viewer })
  const isGone = () => news.frames.some(frame => frame.event === 'presence:left' && frame.data['memberId'] === memberId)
  assert.not.ok(isGone(), 'the same person is back')
  back.close()
  await eventually(isGone)
  news.close()
})

test.run()
