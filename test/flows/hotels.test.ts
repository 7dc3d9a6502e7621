import { create } from '@bufbuild/protobuf'
import { call, type LooseJson } from '../../cli/tour/client.ts'
import { openSocket } from '../../cli/tour/socket.ts'
import { addressOf, expect, password } from '../../cli/tour/world.ts'
import { ChatService } from '../../gen/platform/hotel/v1/chat_pb.ts'
import { assert, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { rpcClient, rpcSurfaces } from '../kit/requests/surfaces.ts'

/** The hotel service over HTTP and sockets, with messages signed as by the payment provider. */
const test = suite('hotels across the platform')
let platform: Platform
let hotels: TwoHotels

test.before(async () => {
  platform = await sharedPlatform()
  hotels = await twoHotels(platform)
})

const sandbox = async (path: string, body: object): Promise<Response> =>
  fetch(platform.sandboxUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const ask = (
  method: string,
  path: string,
  status = 200,
  body?: object,
  token = hotels.ownHotel.token,
): Promise<LooseJson> => expect(hotels.world, status, 'hotel', method, path, { token, ...(body && { body }) })
const ourHotel = (): Promise<LooseJson> => ask('GET', `/hotel/get/${hotels.ownHotel.ecosystem}`)

test('on every surface the chat application of a hotel is answered, and only to its administrators', async () => {
  const { createChatApp } = ChatService.method
  const body = { hotelId: hotels.ownHotel.ecosystem, name: 'Another name' }
  const { chat_app_id, name } = await ourHotel()
  for (const surface of ['REST', ...rpcSurfaces] as const) {
    const askAs = async (token: string) => {
      if (surface === 'REST') return call(platform.urls, 'hotel', 'POST', '/chat/create-app', { token, body })
      const headers = { authorization: `Bearer ${token}` }
      const { status, text } = await rpcClient(platform, surface)(
        createChatApp,
        create(createChatApp.input, body),
        headers,
      )
      return { status, body: JSON.parse(status === 200 ? text : '{}') as LooseJson }
    }
    const { status, body: app } = await askAs(hotels.ownHotel.token)
    assert.equal([status, app['app_id'], app['application_name']], [surface === 'REST' ? 201 : 200, chat_app_id, name])
    assert.is((await askAs(hotels.otherHotel.token)).status, 403, surface)
    assert.is((await askAs(hotels.viewer)).status, 403, surface)
  }
})

test('the weather is in French with the next days; without the provider it is the last known one, marked as such', async () => {
  const url = `${platform.urls.hotel}/weather/Marseille`
  const get = () => fetch(url, { headers: { authorization: `Bearer ${hotels.ownHotel.token}` } })
  const first = await get()
  const body = (await first.json()) as LooseJson
  assert.equal(Object.keys(body), [
    'city',
    'country',
    'temperature',
    'feels_like',
    'humidity',
    'description',
    'icon',
    'wind_speed',
    'forecast',
  ])
  assert.equal(Object.keys((body['forecast'] as LooseJson[])[0] ?? {}), ['date', 'temp_max', 'temp_min', 'description'])
  assert.is(
    (await call(platform.urls, 'hotel', 'GET', '/weather/inconnu', { token: hotels.ownHotel.token })).status,
    404,
  )
  assert.equal([first.headers.get('age'), first.headers.get('warning')], [null, null])
  await sandbox('/_control', { provider: 'weather', mode: '500', times: 1000 })
  const staleAnswer = await get()
  assert.match(staleAnswer.headers.get('age') ?? '', /^\d+$/)
  assert.is(staleAnswer.headers.get('warning'), '110 - "Response is Stale"')
  assert.equal([staleAnswer.status, await staleAnswer.json()], [200, body])
  await ask('GET', '/weather/Toulon', 502)
  await sandbox('/_control', { provider: 'weather', mode: 'ok' })
})

test('no answer of the hotel service contains the chat token, for any caller', async () => {
  const id = hotels.ownHotel.ecosystem
  const texts = await Promise.all(
    ['/hotel/get/all', `/hotel/get/${id}`, '/group/get/all', '/setting/get/all', '/type/get/all'].flatMap(path =>
      [hotels.ownHotel.token, hotels.root].map(async token =>
        JSON.stringify(await ask('GET', path, 200, undefined, token)),
      ),
    ),
  )
  const runs = JSON.stringify(await ask('GET', '/hotel/setups', 200, undefined, hotels.root))
  const changedHotel = JSON.stringify(await ask('PATCH', `/hotel/update/${id}`, 200, { city: 'Marseille 1er' }))
  for (const text of [...texts, runs, changedHotel]) {
    assert.not.match(text, /chat_api_token|api_token/)
    // A stored secret in its sealed form: text, vector and tag.
    assert.not.match(text, /"[\w-]{20,}\.[\w-]{16}\.[\w-]{22}"/)
  }
})

test('a deleted hotel is gone at once, its people signed out and their sockets closed with 4401, and back when the platform restores it', async () => {
  const { ecosystem, token } = hotels.otherHotel
  const theirs = { email: addressOf(hotels.world, 'eve'), password }
  const signedIn = await expect(hotels.world, 200, 'auth', 'POST', '/auth/login', { body: theirs })
  const [otherSocket, ownSocket] = [
    await openSocket(platform.urls.hotel, token),
    await openSocket(platform.urls.hotel, hotels.ownHotel.token),
  ]
  const { id } = await ask('DELETE', `/hotel/delete/${ecosystem}`, 200, undefined, token)
  assert.is(id, ecosystem)
  for (const each of [token, String(signedIn['accessToken'])])
    await ask('GET', `/hotel/get/${ecosystem}`, 401, undefined, each)
  const { refreshToken } = signedIn
  await expect(hotels.world, 401, 'auth', 'POST', '/auth/refreshToken', { body: { refreshToken } })
  await expect(hotels.world, 401, 'auth', 'POST', '/auth/login', { body: theirs })
  assert.is(await otherSocket.closed, 4401)
  // Other people's sockets stay open.
  await ownSocket.ask('joinHotel', hotels.ownHotel.ecosystem)
  ownSocket.close()
  await ask('GET', `/hotel/get/${hotels.otherHotel.ecosystem}`, 404, undefined, hotels.root)
  await ask('POST', `/hotel/restore/${hotels.otherHotel.ecosystem}`, 200, {}, hotels.root)
  const restoredHotel = await ask('GET', `/hotel/get/${hotels.otherHotel.ecosystem}`, 200, undefined, hotels.root)
  assert.is(restoredHotel['subscription_status'], 'active')
})

test.run()
