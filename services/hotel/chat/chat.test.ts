import { ChatService } from '../../../gen/platform/hotel/v1/chat_pb.ts'
import { hotelSuite } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world, host, asRoot, rows, sandbox, wish } = await hotelSuite('chat')

const createHotel = async () => {
  const hotel = await asRoot.hotels.createHotel(wish())
  return { ...hotel, userId: await world.administratorOf(hotel) }
}

test('a hotel’s chat application is answered, whatever the name asked for, and stays the only one', async () => {
  const hotel = await createHotel()
  const chat = host.as(ChatService, hotel.userId)
  const answer = await chat.createChatApp({ hotelId: hotel.id, name: `Chat ${newId()}` })
  assert.equal([answer.appId, answer.applicationName, answer.region], [hotel.chatAppId, hotel.name, 'eu-1'])
  assert.match(answer.apiToken, /^[\w-]+\.[\w-]{16}\.[\w-]{22}$/)
  assert.is((await world.chatApps(hotel.name)).length, 1)
  await sandbox.control({ provider: 'chat', mode: 'garbage', method: 'GET', times: 4 })
  assert.is((await refusal(chat.createChatApp({ hotelId: hotel.id, name: 'x' }))).info.status, 502)
})

test('a hotel without a chat application gets one, with its token encrypted, which all concurrent calls answer', async () => {
  const hotel = await createHotel()
  const chat = host.as(ChatService, hotel.userId)
  const name = `Chat ${newId()}`
  await rows('hotel', 'update hotels set chat_app_id = null, chat_api_token = null where id = ?', [hotel.id])
  const [app, ...otherApps] = await Promise.all([1, 2, 3].map(() => chat.createChatApp({ hotelId: hotel.id, name })))
  assert.equal([app?.applicationName, app?.region], [name, 'eu-1'])
  assert.match(app?.apiToken ?? '', /^[\w-]+\.[\w-]{16}\.[\w-]{22}$/)
  for (const other of otherApps) assert.equal(other, app)
  assert.equal(
    (await world.chatApps(name)).map(each => each.app_id),
    [app?.appId],
  )
})

test('a failing provider is a 502, and the hotel still has no application', async () => {
  const hotel = await createHotel()
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

test('a name used by another chat application gets the hotel’s id appended, also after a rename', async () => {
  const [first, second] = [await asRoot.hotels.createHotel(wish()), await asRoot.hotels.createHotel(wish())]
  const expectedNames = (hotel: { name: string; id: string }) => [hotel.name, `${hotel.name} (${hotel.id})`]
  const third = await asRoot.hotels.createHotel(wish({ name: first.name.toUpperCase() }))
  assert.equal(await namesOf(third), [expectedNames(third)[1]])
  await asRoot.hotels.updateHotel({ id: second.id, name: first.name, updateMask: { paths: ['name'] } })
  await eventually(async () => (await namesOf(second))[0] === expectedNames({ ...second, name: first.name })[1])
  assert.equal(await namesOf(first), [first.name])
})
const namesOf = async ({ chatAppId }: { chatAppId?: string | undefined }): Promise<string[]> => {
  const { data } = (await sandbox.call('GET', '/_state/chat')).json
  return data
    .filter((each: { app_id: string }) => each.app_id === chatAppId)
    .map((each: { app_name: string }) => each.app_name)
}

test('members read the figures of their chat application, and strangers do not', async () => {
  const [hotel, other] = [await createHotel(), await createHotel()]
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
  // Two of them count for today, which may end at midnight meanwhile.
  assert.equal(read, today() === day ? [2, 1, 2, 1] : [2, 1, ...read.slice(2)])
  const stranger = host.as(ChatService, other.userId)
  assert.is((await refusal(stranger.getChatStats({ hotelId: hotel.id }))).info.status, 403)
  assert.is((await refusal(stranger.createChatApp({ hotelId: hotel.id, name: 'x' }))).info.status, 403)
  const root = host.as(ChatService, world.rootId)
  assert.is((await refusal(root.createChatApp({ hotelId: newId(), name: 'x' }))).info.status, 404)
  await sandbox.control({ provider: 'chat', mode: 'garbage', times: 4, path: '/dau' })
  assert.is((await refusal(host.as(ChatService, hotel.userId).getChatStats({ hotelId: hotel.id }))).info.status, 502)
})

test.run()
