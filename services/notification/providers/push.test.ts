import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { author, notificationSuite, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { contentOf, type PushJob } from './push.ts'

const { test, world, host, db, sandbox, person, workspace, publish } = await notificationSuite('pushes')

type Request = { path: string; body: Record<string, unknown> }

const register = (one: Someone, workspaceId: string, platform: string, deviceToken: string) =>
  host.as(SubscriptionService, one.userId).registerDevice({ deviceToken, platform, deviceType: 'ios', workspaceId })
const devices = async (one: Someone) => (await host.as(SubscriptionService, one.userId).listDevices({})).data
const push = (one: Someone, workspaceId: string, id = newId()) =>
  publish('page.created', pageCreated(workspaceId, author(one.name), [one], { channels: ['push'] }), id)
const waitUntilSettled = (one: Someone, count: number) =>
  eventually(async () => {
    const rows = await db.selectFrom('deliveries').selectAll().where('member_id', '=', one.id).execute()
    return rows.length === count && rows.every(row => row.status !== 'pending') ? rows : undefined
  })
const attempts = (one: Someone) =>
  db.selectFrom('delivery_attempts').selectAll().where('member_id', '=', one.id).execute()
const requests = async (provider: string, path: string): Promise<Request[]> => {
  const { data } = (await sandbox.call('GET', `/_requests?provider=${provider}`)).json
  return data.filter((each: Request) => each.path.includes(path))
}

const refusals = [
  { platform: 'fcm', token: 'stale', code: 'UNREGISTERED', isRetired: true },
  { platform: 'fcm', token: 'invalid', code: 'INVALID_ARGUMENT', isRetired: true },
  { platform: 'fcm', token: 'mismatch', code: 'SENDER_ID_MISMATCH', isRetired: true },
  { platform: 'onesignal', token: 'stale', code: 'invalid_player_ids', isRetired: true },
  { platform: 'onesignal', token: 'invalid', code: 'invalid_player_ids', isRetired: true },
  // A member who muted an app may unmute it: the device stays valid.
  { platform: 'onesignal', token: 'unsubscribed', code: 'no_recipients', isRetired: false },
]

for (const { platform, token, code, isRetired } of refusals) {
  test(`${platform}: a token refused as ${token} is tried once and ${isRetired ? 'retired until it is registered again' : 'kept'}`, async () => {
    const ada = await person()
    const workspaceId = await workspace(ada)
    const deviceToken = `${token}-${newId()}`
    await register(ada, workspaceId, platform, deviceToken)
    await push(ada, workspaceId)
    await waitUntilSettled(ada, 1)
    assert.equal(
      (await attempts(ada)).map(row => [row.attempt_number, row.status, row.error_code, row.provider]),
      [[1, 'failed', code, platform]],
    )
    assert.equal(
      (await devices(ada)).map(device => device.isActive),
      [!isRetired],
    )
    if (!isRetired) return
    await register(ada, workspaceId, platform, deviceToken)
    assert.equal(
      (await devices(ada)).map(device => device.isActive),
      [true],
    )
  })
}

test('a refusal that does not concern the token keeps the device active and is not retried', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  await register(ada, workspaceId, 'fcm', `fcm-${newId()}`)
  await sandbox.control({ provider: 'fcm', mode: '400', times: 1, path: 'messages' })
  await push(ada, workspaceId)
  await waitUntilSettled(ada, 1)
  assert.equal(
    (await attempts(ada)).map(row => row.status),
    ['failed'],
  )
  assert.equal(
    (await devices(ada)).map(device => device.isActive),
    [true],
  )
})

test('an FCM message has title and body in the language of its receiver, and the target in the app', async () => {
  const [ada, eve] = [await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, eve)
  const page = { id: newId(), title: 'Menu of the day', parent: null, medias: [], pageType: 'article' }
  const tokens = new Map([ada, eve].map(one => [one, `fcm-${newId()}`]))
  for (const [one, token] of tokens) await register(one, workspaceId, 'fcm', token)
  const body = pageCreated(workspaceId, author(ada.name), [ada, eve], { channels: ['push'], payload: page })
  await publish('page.created', body)
  for (const one of [ada, eve]) await waitUntilSettled(one, 1)
  const { id } = await db
    .selectFrom('notifications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const messages = (await requests('fcm', 'messages')).map(
    ({ body: { message } }) => message as Record<string, unknown>,
  )
  const data = {
    // The notification's own data, its null left out.
    id: page.id,
    title: page.title,
    medias: '[]',
    pageType: 'article',
    notificationId: id,
    type: 'page',
    category: 'created',
    workspaceId,
    entityId: page.id,
    entityType: 'page',
  }
  const texts = [
    [ada, 'Ada Martin a publié «\u00a0Menu of the day\u00a0»', 'Une nouvelle page est à lire dans Hotel Azur.'],
    [eve, 'Ada Martin published “Menu of the day”', 'There is a new page to read in Hotel Azur.'],
  ] as const
  for (const [one, title, text] of texts) {
    const [message, ...otherMessages] = messages.filter(each => each['token'] === tokens.get(one))
    assert.equal([message?.['notification'], message?.['data'], otherMessages], [{ title, body: text }, data, []])
  }
})

/** The data of the one push to a new device about an event with this payload, at either provider. */
async function dataOf(payload: object): Promise<Record<string, unknown>[]> {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const tokens = { fcm: `fcm-${newId()}`, onesignal: `player-${newId()}` }
  for (const [platform, token] of Object.entries(tokens)) await register(ada, workspaceId, platform, token)
  const page = { id: newId(), title: 'Menu', parent: null, medias: [], pageType: 'article' }
  const body = pageCreated(workspaceId, author(ada.name), [ada], {
    channels: ['push'],
    payload: { ...page, ...payload },
  })
  await publish('page.created', body)
  await waitUntilSettled(ada, 2)
  assert.equal(
    (await attempts(ada)).map(row => row.status),
    ['success', 'success'],
  )
  const pushes = Object.values(tokens).map(token => sandbox.call('GET', `/_pushes?to=${token}`))
  return (await Promise.all(pushes)).map(({ json }) => json.data[0].data)
}

test('data that a provider would refuse for its size or its keys is left out, and the push is sent', async () => {
  const medias = (bytes: number) => [{ fileUrl: `https://files.example/${'a'.repeat(bytes)}`, type: 'image' }]
  for (const data of await dataOf({ medias: medias(1_000) }))
    assert.equal(JSON.parse(String(data['medias'])), medias(1_000))
  for (const data of await dataOf({ medias: medias(2_000) }))
    assert.equal(Object.keys(data), ['notificationId', 'type', 'category', 'workspaceId', 'entityId', 'entityType'])
  const reserved = { from: 'a', message_type: 'b', 'google.c': 'd', 'gcm.e': 'f', notificationId: 'g', order: 3 }
  for (const data of await dataOf(reserved)) {
    assert.equal(
      Object.keys(data)
        .filter(key => key in reserved)
        .toSorted(),
      ['notificationId', 'order'],
    )
    assert.equal([data['order'], data['notificationId'] === 'g'], ['3', false])
  }
})

test('long texts leave less room for the data', () => {
  const texts = (text: string) => ({ title: text, body: text, title_en: 'Title', body_en: 'Body' })
  const job = (text: string) =>
    ({ notification: { id: newId(), type: 'comment', ...texts(text), data: `{"content":"${text}"}` } }) as PushJob
  for (const language of ['fr', 'en'] as const) {
    assert.is(contentOf(job('é'.repeat(700)), language).data['content'], 'é'.repeat(700))
    assert.is(contentOf(job('é'.repeat(800)), language).data['content'], undefined)
  }
})

test('a long title isn’t cut within an emoji', () => {
  const title = `a${'👍'.repeat(120)}`
  const texts = { title, body: '', title_en: '', body_en: '' }
  const job = { notification: { id: newId(), type: 'comment', ...texts, data: null } } as PushJob
  assert.is(contentOf(job, 'fr').title, `a${'👍'.repeat(99)}`)
})

test('the devices of a notification are sent in one call where the provider allows it, each with its own row', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const tokens = [`player-${newId()}`, `stale-${newId()}`, `player-${newId()}`]
  for (const token of tokens) await register(ada, workspaceId, 'onesignal', token)
  await push(ada, workspaceId)
  await waitUntilSettled(ada, 3)
  const calls = (await requests('onesignal', 'notifications')).filter(({ body }) =>
    (body['include_player_ids'] as string[] | undefined)?.includes(tokens[0] ?? ''),
  )
  assert.equal(
    calls.map(({ body }) => (body['include_player_ids'] as string[]).toSorted()),
    [tokens.toSorted()],
  )
  assert.equal((await attempts(ada)).map(row => row.status).toSorted(), ['failed', 'success', 'success'])
  assert.equal((await devices(ada)).map(device => device.isActive).toSorted(), [false, true, true])
})

test('every attempt of a notification carries a key that lets a duplicate replace the first', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const [mobile, player] = [`fcm-${newId()}`, `player-${newId()}`]
  await register(ada, workspaceId, 'fcm', mobile)
  await register(ada, workspaceId, 'onesignal', player)
  // The provider accepts the push, but its response is lost.
  for (const [provider, path] of [
    ['fcm', 'messages'],
    ['onesignal', 'notifications'],
  ])
    await sandbox.control({ provider, mode: 'reset', times: 1, after: true, path })
  await push(ada, workspaceId)
  await waitUntilSettled(ada, 2)
  const { id } = await db
    .selectFrom('notifications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const pushes = await requests('fcm', 'messages')
  const ownMessages = pushes
    .map(({ body }) => body['message'] as { token: string; android: object; apns: object } | undefined)
    .filter(message => message?.token === mobile)
  assert.equal(
    ownMessages.map(message => [message?.android, message?.apns]),
    [1, 2].map(() => [{ collapse_key: id, notification: { tag: id } }, { headers: { 'apns-collapse-id': id } }]),
  )
  const calls = (await requests('onesignal', 'notifications')).filter(({ body }) => body['collapse_id'] === id)
  assert.equal([calls.length, new Set(calls.map(({ body }) => body['idempotency_key'])).size], [2, 1])
})

test('a tablet that changed its owner gets nothing queued for the former one', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const token = `fcm-${newId()}`
  await register(ada, workspaceId, 'fcm', token)
  // Held back until the tablet is Bob's.
  await db
    .insertInto('deliveries')
    .values(await waiting(ada, workspaceId))
    .execute()
  await register(bob, workspaceId, 'fcm', token)
  await db
    .updateTable('deliveries')
    .set({ due_at: new Date(Date.now() - 60_000) })
    .where('member_id', '=', ada.id)
    .execute()
  await waitUntilSettled(ada, 1)
  assert.equal(
    (await attempts(ada)).map(row => [row.status, row.error]),
    [['failed', 'The receiver, or the right of the sender, no longer exists']],
  )
  assert.is((await sandbox.call('GET', `/_pushes?to=${token}`)).json.data.length, 0)
})

async function waiting(one: Someone, workspaceId: string) {
  const { id } = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('member_id', '=', one.id)
    .executeTakeFirstOrThrow()
  const occurrence = await publish('page.created', pageCreated(workspaceId, author(one.name), [one]))
  await world.waitUntilHandled(occurrence)
  const row = await db
    .selectFrom('notifications')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return {
    id: newId(),
    notification_id: row.id,
    workspace_id: workspaceId,
    member_id: one.id,
    lane: 'fcm' as const,
    subscription_id: id,
    sealed_mail: null,
    idempotency_key: null,
    due_at: new Date(Date.now() + 3_600_000),
    created_at: new Date(),
  }
}

test.run()
