import { ChatService } from '../../../gen/platform/hotel/v1/chat_pb.ts'
import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { SetupService } from '../../../gen/platform/hotel/v1/setups_pb.ts'
import { SubscriptionService } from '../../../gen/platform/payment/v1/subscriptions_pb.ts'
import { newId } from '../../kernel/base/ids.ts'
import { hotelForTest } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'

const test = suite('chat, subscription and repeated calls')
const world = await hotelForTest()
const { host, asRoot, rows, sandbox, wish } = world
test.after(() => world.end())

const made = async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  return { ...hotel, userId: await world.administratorOf(hotel) }
}

test('a hotel without a chat application gets one, with its token sealed; a second one is refused', async () => {
  const hotel = await made()
  const chat = host.as(ChatService, hotel.userId)
  const name = `Chat ${newId()}`
  assert.is((await refusal(chat.createChatApp({ hotelId: hotel.id, name }))).info.status, 409)
  await rows('hotel', 'update hotels set chat_app_id = null, chat_api_token = null where id = ?', [hotel.id])
  const results = await Promise.allSettled([1, 2, 3].map(() => chat.createChatApp({ hotelId: hotel.id, name })))
  const app = results.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  assert.is(app.length, 1)
  assert.equal([app[0]?.applicationName, app[0]?.region], [name, 'eu-1'])
  assert.match(app[0]?.apiToken ?? '', /^[\w-]+\.[\w-]{16}\.[\w-]{22}$/)
  assert.equal(
    (await world.chatApps(name)).map(each => each.app_id),
    [app[0]?.appId],
  )
})

test('a provider that fails is a 502, and the hotel still has no application', async () => {
  const hotel = await made()
  await rows('hotel', 'update hotels set chat_app_id = null, chat_api_token = null where id = ?', [hotel.id])
  await sandbox.control({ provider: 'chat', mode: '500', method: 'POST', times: 1 })
  const chat = host.as(ChatService, hotel.userId)
  const name = `Chat ${newId()}`
  assert.is((await refusal(chat.createChatApp({ hotelId: hotel.id, name }))).info.status, 502)
  assert.is((await refusal(chat.getChatStats({ hotelId: hotel.id }))).info.status, 404)
  await eventually(async () => {
    const answer = await chat.createChatApp({ hotelId: hotel.id, name }).catch(() => undefined)
    return answer?.appId
  })
  assert.is((await world.chatApps(name)).length, 1)
})

test('a hotel whose name another chat application bears gets one of that name and its own id, and so after a rename', async () => {
  const [first, second] = [await asRoot.hotels.createHotel(wish()), await asRoot.hotels.createHotel(wish())]
  const named = (hotel: { name: string; id: string }) => [hotel.name, `${hotel.name} (${hotel.id})`]
  const third = await asRoot.hotels.createHotel(wish({ name: first.name.toUpperCase() }))
  assert.equal(await namesOf(third), [named(third)[1]])
  await asRoot.hotels.updateHotel({ id: second.id, name: first.name, updateMask: { paths: ['name'] } })
  await eventually(async () => (await namesOf(second))[0] === named({ ...second, name: first.name })[1])
  assert.equal(await namesOf(first), [first.name])
})
const namesOf = async ({ chatAppId }: { chatAppId?: string | undefined }): Promise<string[]> => {
  const { data } = (await sandbox.call('GET', '/_state/chat')).json
  return data
    .filter((each: { app_id: string }) => each.app_id === chatAppId)
    .map((each: { app_name: string }) => each.app_name)
}

test('members read the figures of their chat application, strangers do not', async () => {
  const [hotel, other] = [await made(), await made()]
  const figures = async () => {
    const stats = await host.as(ChatService, hotel.userId).getChatStats({ hotelId: hotel.id })
    return [stats.usersCount, stats.channelsCount, stats.messagesToday, stats.activeUsersToday]
  }
  assert.equal(await figures(), [0, 0, 0, 0])
  const { data } = (await sandbox.call('GET', '/_state/chat')).json
  const { app_id, api_token } = data.find((each: { app_id: string }) => each.app_id === hotel.chatAppId)
  const app = async (method: string, path: string, body?: object) =>
    (await sandbox.call(method, `/chat/apps/${app_id}/v3${path}`, body, { 'Api-Token': api_token })).json
  for (const user_id of ['ada', 'bob', 'eve'])
    await app('POST', '/users', { user_id, nickname: user_id, profile_url: '' })
  await app('DELETE', '/users/eve')
  const { channel_url } = await app('POST', '/group_channels', { user_ids: ['ada', 'bob'] })
  const today = () => new Date().toISOString().slice(0, 10)
  const day = today()
  const words = { message_type: 'MESG', user_id: 'ada' }
  for (const message of ['Bonjour', 'Encore'])
    await app('POST', `/group_channels/${channel_url}/messages`, { ...words, message })
  const read = await figures()
  // Two of them are today's, which ends at midnight.
  assert.equal(read, today() === day ? [2, 1, 2, 1] : [2, 1, ...read.slice(2)])
  const stranger = host.as(ChatService, other.userId)
  assert.is((await refusal(stranger.getChatStats({ hotelId: hotel.id }))).info.status, 403)
  assert.is((await refusal(stranger.createChatApp({ hotelId: hotel.id, name: 'x' }))).info.status, 403)
  await sandbox.control({ provider: 'chat', mode: 'garbage', times: 4, path: '/dau' })
  assert.is((await refusal(host.as(ChatService, hotel.userId).getChatStats({ hotelId: hotel.id }))).info.status, 502)
})

test('a subscription that moves at the payment service moves the hotel, and its room hears of it', async () => {
  const hotel = await made()
  const root = host.as(SubscriptionService, world.rootId)
  await root.cancelSubscription({ customerId: hotel.paymentCustomerId ?? '' })
  await eventually(async () => (await asRoot.hotels.getHotel({ id: hotel.id })).subscriptionStatus === 'inactive')
  const { body } = await world.told('platform.hotel.subscription_status', hotel.id)
  assert.equal(body.payload, { id: hotel.id, hotelId: hotel.id, status: 'inactive', plan: 'premium' })
})

test('a trial that comes with the set-up stays active, as the documents table it', async () => {
  const hotel = await made()
  const customerId = hotel.paymentCustomerId ?? ''
  const tell = (status: string) => {
    const payload = { id: 'sub_1', customerId, status, plan: 'premium' }
    return host.bus.publish('platform.payment.subscription_changed', JSON.stringify({ payload }), { id: newId() })
  }
  for (const status of ['trial', 'inactive', 'trial', 'trial', 'inactive']) await tell(status)
  const told = await eventually(() => {
    const found = world.events.filter(
      ({ subject, body }) => subject.endsWith('subscription_status') && body.payload['id'] === hotel.id,
    )
    return found.length > 2 ? found : undefined
  })
  assert.equal(
    told.map(({ body }) => body.payload['status']),
    ['inactive', 'trial', 'inactive'],
  )
})

test('a message of the payment service that breaks its contract is a dead letter and moves no hotel', async () => {
  const { id, paymentCustomerId: customerId = '' } = await made()
  for (const [payload, field] of [
    [{ id: 'sub_1', customerId, status: 'gold', plan: 'premium' }, /status/],
    [{ id: 'sub_1', customerId, plan: 'premium' }, /status/],
    [{ id: 'sub_1', status: 'inactive', plan: 'premium' }, /customerId/],
  ] as const) {
    const { last } = await host.bus.bounds(host.bus.deadStream)
    await host.bus.publish('platform.payment.subscription_changed', JSON.stringify({ payload }), { id: newId() })
    const dead = await eventually(() => host.bus.read(host.bus.deadStream, last + 1))
    assert.match(dead.headers['Dead-Reason'] ?? '', field)
  }
  assert.is((await asRoot.hotels.getHotel({ id })).subscriptionStatus, 'active')
})

test('a repeated Idempotency-Key answers the first hotel, also while it is being set up; another request under it is refused', async () => {
  const asked = wish()
  const headers = { 'idempotency-key': newId() }
  const answers = await Promise.all([1, 2, 3].map(() => asRoot.hotels.createHotel(asked, { headers })))
  assert.is(new Set(answers.map(({ id }) => id)).size, 1)
  assert.is((await asRoot.hotels.createHotel(asked, { headers })).id, answers[0]?.id)
  assert.is((await world.chatApps(asked.name)).length, 1)
  const other = await refusal(asRoot.hotels.createHotel(wish(), { headers }))
  assert.equal([other.info.status, other.info.class], [422, 'UnprocessableError'])
  for (const key of ['', 'é', 'two words', 'x'.repeat(256)]) {
    const bad = await refusal(asRoot.hotels.createHotel(asked, { headers: { 'idempotency-key': key } }))
    assert.equal([bad.info.status, bad.info.violations[0]?.path], [400, 'Idempotency-Key'], key)
  }
})

test('a key whose set-up failed may be used again', async () => {
  const asked = wish()
  const headers = { 'idempotency-key': newId() }
  await sandbox.control({ provider: 'chat', mode: '500', method: 'POST', times: 1 })
  assert.is((await refusal(asRoot.hotels.createHotel(asked, { headers }))).info.status, 502)
  await eventually(async () => (await asRoot.hotels.createHotel(asked, { headers }).catch(() => undefined))?.id)
})

test('runs are shown to platform administrators, page by page', async () => {
  const hotel = await made()
  const { data, meta } = await asRoot.setups.listSetups({ hotelId: hotel.id })
  assert.equal([meta?.total, data[0]?.kind, data[0]?.status], [1, 'create', 'completed'])
  assert.equal(
    data[0]?.steps.map(({ position, status }) => [position, status]),
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map(position => [position, 'done']),
  )
  assert.is((await asRoot.setups.getSetup({ id: data[0]?.id ?? '' })).setup?.hotelName, hotel.name)
  assert.is((await asRoot.setups.listSetups({ limit: 1 })).data.length, 1)
  assert.is((await refusal(asRoot.setups.resumeSetup({ id: data[0]?.id ?? '' }))).info.status, 409)
  const member = host.as(SetupService, hotel.userId)
  assert.is((await refusal(member.listSetups({}))).info.status, 403)
  assert.is((await refusal(asRoot.setups.getSetup({ id: newId() }))).info.status, 404)
  assert.is((await refusal(host.as(HotelService).listHotels({}))).info.status, 401)
})

test.run()
