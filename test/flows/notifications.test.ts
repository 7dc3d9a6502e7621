import { call, type LooseJson, type Urls } from '../../cli/tour/client.ts'
import { openSocket, type Socket } from '../../cli/tour/socket.ts'
import { expect } from '../../cli/tour/world.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { secondEdge } from '../kit/platform/second-edge.ts'
import { secondNotifications } from '../kit/platform/second-notifications.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'

/** Two processes of the notification service, each behind an edge, share the same events. */
const test = suite('notifications of two processes')
let platform: Platform
let second: { port: string; stop(): Promise<void> }
let other: { urls: Urls; stop(): Promise<void> }
let hotels: TwoHotels
let sockets: Socket[] = []
let vic: string

test.before(async () => {
  platform = await sharedPlatform()
  second = await secondNotifications(platform)
  other = await secondEdge({ ...platform, env: { ...platform.env, NOTIFICATION_RPC_PORT: second.port } })
  hotels = await twoHotels(platform)
  const me = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token: hotels.viewer })
  vic = String(me['memberId'])
  sockets = await Promise.all([platform.urls, other.urls].map(urls => openSocket(urls.notification, hotels.viewer)))
})
test.after(async () => {
  for (const socket of sockets) socket.close()
  await other?.stop()
  await second?.stop()
})

const inbox = '/api/v1/notifications'
const preferences = '/api/v1/preferences'
/** Alternates between the two processes. */
const urlsOf = (instance: number): Urls => (instance % 2 === 0 ? platform.urls : other.urls)
const asVic = async (method: string, path: string, instance = 0, body?: unknown): Promise<LooseJson> => {
  const answer = await call(urlsOf(instance), 'notification', method, path, { token: hotels.viewer, body })
  assert.is(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
const rowsOf = (list: LooseJson): LooseJson[] => list['data'] as unknown as LooseJson[]
const message = (overrides: object = {}) => ({
  workspaceId: hotels.ownHotel.workspace,
  receiverIds: [vic],
  title: 'Réunion',
  body: 'À midi',
  ...overrides,
})
const send = (body: object, headers: Record<string, string> = {}, instance = 0) =>
  call(urlsOf(instance), 'notification', 'POST', inbox, { token: hotels.ownHotel.token, body, headers })

test('of two identical messages sent at once over two processes one is sent, and a token belongs to one of two members', async () => {
  const key = { 'idempotency-key': newId() }
  const body = message({ title: 'Once' })
  const answers = await Promise.all([0, 1, 0, 1].map(instance => send(body, key, instance)))
  assert.ok(answers.every(({ status }) => status === 201 || status === 409))
  const ids = new Set(answers.filter(({ status }) => status === 201).map(answer => String(answer.body['id'])))
  assert.is(ids.size, 1)
  const rows = rowsOf(await asVic('GET', inbox, 1))
  assert.is(rows.filter(item => item['title'] === 'Once').length, 1)

  const deviceToken = newId()
  const device = { deviceToken, platform: 'fcm', deviceType: 'ios', workspaceId: hotels.ownHotel.workspace }
  const tokens = [hotels.viewer, hotels.ownHotel.token]
  const registrations = await Promise.all(
    [0, 1, 0, 1].map((instance, i) =>
      call(urlsOf(instance), 'notification', 'POST', '/api/v1/subscriptions', { token: tokens[i % 2], body: device }),
    ),
  )
  assert.equal(
    registrations.filter(({ status }) => status >= 300),
    [],
  )
  const owned = await Promise.all(
    tokens.map(async token => {
      const { body: list } = await call(platform.urls, 'notification', 'GET', '/api/v1/subscriptions', { token })
      return rowsOf(list).filter(each => each['deviceToken'] === deviceToken).length
    }),
  )
  assert.equal(owned.toSorted(), [0, 1])
  const [owner] = tokens.filter((_, i) => owned[i] === 1)
  const removals = await Promise.all(
    [0, 1, 0, 1].map(instance =>
      call(urlsOf(instance), 'notification', 'DELETE', `/api/v1/subscriptions/${deviceToken}`, { token: owner }),
    ),
  )
  assert.equal(removals.map(({ status }) => status).toSorted(), [200, 404, 404, 404])
})

test('in quiet hours messages and reminders reach the inbox, and answers say for how many the push waits', async () => {
  const timezone = 'Asia/Seoul'
  const clock = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toLocaleTimeString('en-GB', {
      timeZone: timezone,
      hour: '2-digit',
      minute: '2-digit',
    })
  const device = { deviceToken: newId(), platform: 'fcm', deviceType: 'ios', workspaceId: hotels.ownHotel.workspace }
  await expect(hotels.world, 201, 'notification', 'POST', '/api/v1/subscriptions', {
    token: hotels.viewer,
    body: device,
  })
  const quietHours = { enabled: true, start: clock(-2), end: clock(2), timezone }
  await asVic('PATCH', preferences, 0, { quietHours })
  const reached = async (overrides: object) => {
    const { status, body } = await send(
      message({ title: 'Tonight', channels: ['push', 'socket', 'app'], ...overrides }),
    )
    assert.is(status, 201)
    const { id, receiverCount, reachedNow, reachedLater } = body
    const log = await expect(hotels.world, 200, 'notification', 'GET', `${inbox}/${id}/deliveries`, {
      token: hotels.ownHotel.token,
    })
    return [receiverCount, reachedNow, reachedLater, log['meta']?.['total']]
  }
  assert.equal(await reached({}), [1, 0, 1, 0])
  assert.equal(await reached({ channels: ['socket', 'app'] }), [1, 1, 0, 0])
  assert.equal(await reached({ toAll: true }), [2, 1, 1, 0])

  const byAda = (status: number, method: string, path: string, body?: object) =>
    expect(hotels.world, status, 'news', method, path, { token: hotels.ownHotel.token, body })
  const page = { workspaceId: hotels.ownHotel.workspace, title: 'Fire drill', content: { blocks: [] } }
  const id = String((await byAda(201, 'POST', '/api/v1/pages', page))['id'])
  await byAda(200, 'POST', `/api/v1/pages/${id}/publish`)
  const dueAt = '2041-05-01T10:00:00.000Z'
  assert.is((await byAda(200, 'PUT', `/api/v1/must-read/${id}`, { dueAt }))['dueAt'], dueAt)
  assert.is((await byAda(200, 'GET', `/api/v1/must-read/${id}`))['dueAt'], dueAt)
  const { remindedCount, reachedNow, reachedLater } = await byAda(200, 'POST', `/api/v1/must-read/${id}/remind`)
  assert.equal([remindedCount, reachedNow, reachedLater], [1, 0, 1])
  const row = await eventually(async () =>
    rowsOf(await asVic('GET', `${inbox}?type=page`)).find(each => each['category'] === 'reminded'),
  )
  assert.equal([row['isRead'], Object(row['data'])['dueAt']], [false, dueAt])

  await asVic('PATCH', preferences, 0, { categoryPrefs: { 'page.reminded': { push: false, email: false } } })
  const other = String((await byAda(201, 'POST', '/api/v1/pages', page))['id'])
  await byAda(200, 'POST', `/api/v1/pages/${other}/publish`)
  await byAda(200, 'PUT', `/api/v1/must-read/${other}`, {})
  const unwanted = await byAda(200, 'POST', `/api/v1/must-read/${other}/remind`)
  assert.equal([unwanted['reachedNow'], unwanted['reachedLater']], [1, 0], 'nothing waits that is not wanted')

  await asVic('POST', `${preferences}/global-silence`, 0, { enabled: true })
  assert.equal(await reached({}), [0, 0, 0, 0])
  await asVic('DELETE', `${preferences}/global-silence`)
  await asVic('PATCH', preferences, 0, { quietHours: { enabled: false } })
  assert.equal((await reached({})).slice(0, 3), [1, 1, 0])
})

for (const surface of [`${inbox}/read-all`, '/rpc/platform.notification.v1.NotificationService/MarkAllRead'])
  test(`the body of ${surface} can be absent, empty or anything; type decides what is marked`, async () => {
    const unread = async () => Number((await asVic('GET', `${inbox}/unread-count`))['count'])
    await asVic('POST', `${inbox}/read-all`)
    const bodies: [body: unknown, status: number, updated?: number][] = [
      [undefined, 200, 1],
      [{}, 200, 1],
      [{ all: true, filter: { since: [1] } }, 200, 1],
      [{ type: 'message' }, 200, 1],
      [{ type: 'message', all: true }, 200, 1],
      [{ type: null }, 200, 1],
      [{ type: '' }, 200, 1],
      [{ type: 'page' }, 200, 0],
      [{ type: 'nothing' }, 200, 0],
      [{ type: 5 }, 400],
      [{ type: ['message'] }, 400],
      [{ type: 'é' }, 400],
      [[], 400],
    ]
    for (const [body, status, updated = 0] of bodies) {
      const bodyText = JSON.stringify(body)
      if ((await unread()) === 0) await send(message())
      await eventually(async () => (await unread()) === 1)
      const headers = { 'content-type': 'application/json' }
      const answer = await call(platform.urls, 'notification', 'POST', surface, { token: hotels.viewer, body, headers })
      assert.is(answer.status, status, `${bodyText}: ${JSON.stringify(answer.body)}`)
      // Connect omits zeros.
      const counts: object = { updated: 0, unread: 0, ...(answer.body as object) }
      if (status === 200) assert.equal(counts, { updated, unread: 1 - updated }, bodyText)
      assert.is(await unread(), 1 - updated, bodyText)
    }
  })

test('simultaneous reads, dismissals and arrivals on both processes leave consistent lists, which finally agree', async () => {
  await asVic('POST', `${inbox}/read-all`)
  await Promise.all(Array.from({ length: 12 }, (_, i) => send(message({ title: `Before ${i}` }), {}, i)))
  const before = rowsOf(await asVic('GET', `${inbox}?isRead=false&type=message&limit=100`))
  const ids = before.map(item => item['id'])
  assert.is(ids.length, 12)

  let isOver = false
  const disagreements: unknown[] = []
  const watching = [0, 1].map(async instance => {
    while (!isOver) {
      const list = await asVic('GET', `${inbox}?limit=100`, instance)
      const [data, meta] = [rowsOf(list), list['meta']]
      const unread = data.filter(item => !item['isRead']).length
      if (data.length !== meta?.['total'] || unread !== meta?.['unread'])
        disagreements.push([data.length, unread, meta])
      const { count, byType } = await asVic('GET', `${inbox}/unread-count`, instance)
      const sum = Object.values(byType ?? {}).reduce((total: number, each) => total + Number(each), 0)
      if (sum !== count) disagreements.push([count, byType])
    }
  })
  const both = (work: (instance: number) => Promise<unknown>) => Promise.all([work(0), work(1)])
  await Promise.all([
    ...Array.from({ length: 30 }, (_, i) => send(message({ title: `Race ${i}` }), {}, i)),
    ...ids.slice(0, 5).map(id => both(instance => asVic('PATCH', `${inbox}/${id}/read`, instance))),
    ...ids.slice(3, 8).map(id => both(instance => asVic('DELETE', `${inbox}/${id}`, instance))),
    ...ids.slice(6, 9).map(id => both(instance => asVic('PATCH', `${inbox}/${id}/click`, instance))),
  ])
  isOver = true
  await Promise.all(watching)
  assert.equal(disagreements, [])

  // Of twelve messages the first nine are read or removed, and thirty more came. Other events may add further ones.
  let report: unknown[] = []
  const lastTold = ({ frames }: Socket) => frames.findLast(({ data }) => 'unread' in Object(data))?.data['unread']
  const agree = async () => {
    const lists = await Promise.all([0, 1].map(instance => asVic('GET', `${inbox}?limit=100`, instance)))
    const counts = await Promise.all([0, 1].map(instance => asVic('GET', `${inbox}/unread-count`, instance)))
    const unread = lists.map(list => rowsOf(list).filter(item => !item['isRead']))
    const messages = unread.map(items => items.filter(item => item['type'] === 'message').length)
    const unreadCounts = [
      ...lists.map(({ meta }) => meta?.['unread']),
      ...counts.map(({ count }) => count),
      ...sockets.map(lastTold),
    ]
    report = [messages, unread.map(items => items.length), unreadCounts]
    return (
      messages.every(each => each === 33) && new Set([...unread.map(items => items.length), ...unreadCounts]).size === 1
    )
  }
  await eventually(agree).catch(() => assert.unreachable(JSON.stringify(report)))

  // The state after a process dies between a change and its frame: the next process publishes the count.
  await second.stop()
  const db = await connectDatabase(platform.env['NOTIFICATION_DATABASE_URL'] ?? '')
  await db.query('update member_counters set unread = unread + 1 where member_id = ? limit 1', [vic])
  await db.end()
  second = await secondNotifications(platform)
  await eventually(async () => {
    const { count } = await asVic('GET', `${inbox}/unread-count`)
    report = [count, ...sockets.map(lastTold)]
    return report.every(each => each === count)
  }).catch(() => assert.unreachable(JSON.stringify(report)))
})

test.run()
