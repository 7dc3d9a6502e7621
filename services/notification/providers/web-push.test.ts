import { PreferenceService } from '../../../gen/platform/notification/v1/preferences_pb.ts'
import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually, statusOf, suite } from '../../../test/kit/kit.ts'
import { newBrowser, sessionsOf } from '../../../test/kit/notification/browser.ts'
import { author, notificationsForTest, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { service as auth } from '../../auth/service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('pushes to browsers')
const world = await notificationsForTest({}, [auth])
const { host, db, sandbox, person, workspace } = world
const sessions = sessionsOf(host)
test.after(async () => {
  await sessions.close()
  await world.end()
})

const as = (one: Someone, sessionId: string) => host.as(SubscriptionService, one.userId, { sessionId })

/** Subscribes a new browser of somebody. */
async function subscribe(one: Someone, kind?: string) {
  const [browser, sessionId] = [newBrowser(sandbox.url, kind), await sessions.begin()]
  await as(one, sessionId).subscribeBrowser(browser.subscription)
  return { ...browser, sessionId }
}
const publishTo = async (workspaceId: string, receivers: Someone[]) =>
  world.publish('page.created', pageCreated(workspaceId, author(), receivers, { channels: ['push', 'socket'] }))
const pushesTo = async ({ name }: { name: string }) =>
  (await sandbox.call('GET', `/_pushes?to=${name}`)).json.data as {
    data: { ttl: string; topic: string; base64url: string }
  }[]
const waitUntilSettled = (one: Someone, count = 1) =>
  eventually(async () => {
    const rows = await db.selectFrom('deliveries').selectAll().where('member_id', '=', one.id).execute()
    return rows.length === count && rows.every(row => row.status !== 'pending')
  })
const attempts = async (one: Someone) => {
  const rows = await db.selectFrom('delivery_attempts').selectAll().where('member_id', '=', one.id).execute()
  return rows
    .toSorted((a, b) => a.attempt_number - b.attempt_number)
    .map(row => [row.provider, row.status, row.error_code])
}
const tokensOf = async (one: Someone) =>
  (await db.selectFrom('subscriptions').select('device_token').where('member_id', '=', one.id).execute()).map(
    row => row.device_token,
  )

test('a push is encrypted for its browser, in the language of its person, with its page and the unread count', async () => {
  const [ada, eve] = [await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, eve)
  const [adas, eves] = [await subscribe(ada), await subscribe(eve)]
  const page = { id: newId(), title: 'Menu of the day', parent: null, medias: [], pageType: 'article' }
  const body = pageCreated(workspaceId, author(ada.name), [ada, eve], { channels: ['push', 'socket'], payload: page })
  await world.publish('page.created', body)
  await waitUntilSettled(ada)
  await waitUntilSettled(eve)
  const { id } = await db
    .selectFrom('notifications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const expected = { id, address: `http://localhost:8080/pages/${page.id}`, unread: 1 }
  const texts = [
    [adas, 'fr', 'Ada Martin a publié «\u00a0Menu of the day\u00a0»', 'Une nouvelle page est à lire dans Hotel Azur.'],
    [eves, 'en', 'Ada Martin published “Menu of the day”', 'There is a new page to read in Hotel Azur.'],
  ] as const
  for (const [browser, language, title, text] of texts) {
    const [push, ...otherPushes] = await pushesTo(browser)
    assert.equal([push?.data.ttl, push?.data.topic, otherPushes], ['259200', id, []])
    assert.equal(browser.decrypt(push?.data.base64url ?? ''), { ...expected, language, title, body: text })
  }
  assert.throws(() => eves.decrypt('A'.repeat(200)))
  assert.equal(await attempts(ada), [['webpush', 'success', null]])
})

test('a browser gets the pushes of all workspaces of its person, and only of those', async () => {
  const [ada, bob] = [await person(), await person()]
  const [first, second, foreign] = [await workspace(ada), await workspace(ada), await workspace(bob)]
  const browser = await subscribe(ada)
  for (const workspaceId of [first, second, foreign]) await publishTo(workspaceId, [ada, bob])
  await waitUntilSettled(ada, 2)
  assert.is((await pushesTo(browser)).length, 2)
  await world.leave(second, ada)
  const eventId = await publishTo(second, [ada])
  await world.waitUntilHandled(eventId)
  const rows = await db.selectFrom('deliveries').select('id').where('member_id', '=', ada.id).execute()
  assert.is(rows.length, 2)
})

test('a push service that does not answer stops none of the others', async () => {
  const [ada, ...others] = await Promise.all(Array.from({ length: 6 }, () => person()))
  const workspaceId = await workspace(ada as Someone, ...others)
  const browser = await subscribe(ada as Someone)
  for (const one of others) {
    const { subscription } = newBrowser('http://localhost:9')
    await as(one, await sessions.begin()).subscribeBrowser(subscription)
  }
  await publishTo(workspaceId, others)
  for (const one of others) await eventually(async () => (await attempts(one)).length > 0)
  await publishTo(workspaceId, [ada as Someone])
  await waitUntilSettled(ada as Someone)
  assert.equal([(await attempts(ada as Someone)).length, (await pushesTo(browser)).length], [1, 1])
})

test('silent hours hold back the pushes to browsers, too', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await subscribe(ada)
  await host.as(PreferenceService, ada.userId).setDoNotDisturb({ duration: 3_600 })
  const reminder = pageCreated(workspaceId, author(), [ada], { channels: ['push', 'socket'] })
  await world.waitUntilHandled(await world.publish('page.reminded', reminder))
  const rows = await db.selectFrom('deliveries').selectAll().where('member_id', '=', ada.id).execute()
  assert.equal(
    rows.map(({ lane, status, due_at }) => [lane, status, Number(due_at) > Date.now() + 1_800_000]),
    [['webpush', 'pending', true]],
  )
})

const refusals = [
  { title: 'is gone', kind: 'stale', codes: ['410'], isRemoved: true },
  { title: 'is answered 410', mode: '410', codes: ['410'], isRemoved: true },
  { title: 'is refused', mode: '400', codes: ['400'], isRemoved: false },
  { title: 'is over a rate limit', mode: '429', codes: ['429', null], isRemoved: false },
  { title: 'fails', mode: '500', codes: ['500', null], isRemoved: false },
]
for (const { title, kind, mode, codes, isRemoved } of refusals)
  test(`a browser that ${title} is ${isRemoved ? 'removed' : 'kept'} after ${codes.length} tries`, async () => {
    const ada = await person()
    const workspaceId = await workspace(ada)
    const browser = await subscribe(ada, kind)
    if (mode) await sandbox.control({ provider: 'webpush', mode, times: 1, path: browser.name, retryAfter: 1 })
    await publishTo(workspaceId, [ada])
    await waitUntilSettled(ada)
    assert.equal(
      await attempts(ada),
      codes.map(code => ['webpush', code === null ? 'success' : 'failed', code]),
    )
    assert.equal(await tokensOf(ada), isRemoved ? [] : [browser.subscription.endpoint])
  })

for (const [ending, end] of Object.entries({
  ended: 'is_active = 0',
  expired: 'expires_at = now(3) - interval 1 minute',
}))
  test(`a browser whose session has ${ending} gets nothing and is removed`, async () => {
    const ada = await person()
    const workspaceId = await workspace(ada)
    const browser = await subscribe(ada)
    await sessions.change(browser.sessionId, end)
    await publishTo(workspaceId, [ada])
    await waitUntilSettled(ada)
    assert.equal([await pushesTo(browser), await tokensOf(ada)], [[], []])
    assert.equal(await attempts(ada), [['webpush', 'failed', 'SESSION_ENDED']])
  })

test('a session has one browser, which the list of devices leaves out, until it unsubscribes', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const { sessionId } = await subscribe(ada)
  const [later, other] = [newBrowser(sandbox.url), await subscribe(ada)]
  await as(ada, sessionId).subscribeBrowser(later.subscription)
  await as(ada, sessionId).subscribeBrowser(later.subscription)
  assert.equal((await tokensOf(ada)).toSorted(), [later, other].map(one => one.subscription.endpoint).toSorted())
  const mobile = { workspaceId, deviceToken: `fcm-${newId()}`, platform: 'fcm', deviceType: 'android' }
  await as(ada, sessionId).registerDevice(mobile)
  const { data } = await as(ada, sessionId).listDevices({})
  assert.equal(
    data.map(device => device.deviceToken),
    [mobile.deviceToken],
  )
  await as(ada, sessionId).unsubscribeBrowser({})
  await as(ada, sessionId).unsubscribeBrowser({})
  assert.equal((await tokensOf(ada)).toSorted(), [mobile.deviceToken, other.subscription.endpoint].toSorted())
})

test('a browser of a shared device moves to the person who signs in, and a person has at most 20 of them', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const sharedBrowser = await subscribe(ada)
  await as(bob, await sessions.begin()).subscribeBrowser(sharedBrowser.subscription)
  assert.equal([await tokensOf(ada), await tokensOf(bob)], [[], [sharedBrowser.subscription.endpoint]])
  await publishTo(workspaceId, [ada, bob])
  await waitUntilSettled(bob)
  assert.is((await pushesTo(sharedBrowser)).length, 1)
  for (let i = 0; i < 22; i++) await subscribe(ada)
  assert.is((await tokensOf(ada)).length, 20)
})

test('only addresses of push services are taken, with sound keys, from a person with a session', async () => {
  const ada = await person()
  await workspace(ada)
  const session = await sessions.begin()
  const { subscription } = newBrowser(sandbox.url)
  const tryWith = (change: object) => statusOf(as(ada, session).subscribeBrowser({ ...subscription, ...change }))
  const endpoints = [
    'https://127.0.0.1/push',
    'https://169.254.169.254/latest/meta-data',
    'https://hotel.example/push',
    'https://fcm.googleapis.com.hotel.example/push',
    'https://hotel.example/https://fcm.googleapis.com',
    'https://fcm.googleapis.com:8443/push',
    'https://name@fcm.googleapis.com/push',
    'http://fcm.googleapis.com/push',
    'https://notify.windows.com.hotel.example/push',
    `https://fcm.googleapis.com/${'x'.repeat(512)}`,
    'none',
    '',
  ]
  for (const endpoint of endpoints) assert.is(await tryWith({ endpoint }), 400, endpoint)
  for (const change of [{ p256dh: subscription.auth }, { auth: 'x' }, { p256dh: `A${subscription.p256dh.slice(1)}` }])
    assert.is(await tryWith(change), 400)
  assert.is(await statusOf(host.as(SubscriptionService, ada.userId).subscribeBrowser(subscription)), 403)
  assert.is(await statusOf(host.as(SubscriptionService, ada.userId).unsubscribeBrowser({})), 403)
  const pushServices = [
    'https://fcm.googleapis.com/a',
    'https://web.push.apple.com/a',
    'https://db5.notify.windows.com/w/?a=b',
  ]
  for (const endpoint of [...pushServices, 'https://updates.push.services.mozilla.com/a'])
    assert.is(await tryWith({ endpoint }), 200, endpoint)
})

test('a browser whose key is no point of the curve is removed when it is used', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const { subscription } = newBrowser(sandbox.url)
  await as(ada, await sessions.begin()).subscribeBrowser({ ...subscription, p256dh: `B${'A'.repeat(86)}` })
  await publishTo(workspaceId, [ada])
  await waitUntilSettled(ada)
  assert.equal([await attempts(ada), await tokensOf(ada)], [[['webpush', 'failed', 'INVALID_KEYS']], []])
})

test.run()
