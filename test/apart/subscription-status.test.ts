import { call } from '../../cli/tour/client.ts'
import { openSocket } from '../../cli/tour/socket.ts'
import { expect } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { twoHotels } from '../kit/platform/two-hotels.ts'

/** What the room of a hotel receives about its subscription, with each service in its own process. */
const test = suite('subscription status')

test('the room receives every change once, and the deletion before its sockets are closed', async () => {
  const platform = await sharedPlatform('split')
  const { world, ownHotel, otherHotel, root, apiKey } = await twoHotels(platform)
  const socket = await openSocket(platform.urls.hotel, ownHotel.token)
  await socket.ask('joinHotel', ownHotel.ecosystem)
  const readStatuses = () => socket.frames.flatMap(({ event, data }) => (event === 'subscription:status' ? [data] : []))
  const hotel = () => expect(world, 200, 'hotel', 'GET', `/hotel/get/${ownHotel.ecosystem}`, { token: ownHotel.token })
  const customer_id = String((await hotel())['payment_customer_id'])
  const byKey = async (path: string, body: object, status: number) => {
    const answer = await call(platform.urls, 'payment', 'POST', path, {
      key: apiKey,
      body: { customer_id, ...body },
    })
    assert.is(answer.status, status)
  }
  const premium = { plan: 'premium' }

  await byKey('/sub/cancel-subscription', {}, 200)
  await eventually(() => readStatuses().length === 1)
  await byKey('/sub/assign-subscription', { product_id: 'premium' }, 201)
  await eventually(() => readStatuses().length === 2)
  assert.is((await hotel())['subscription_status'], 'trial')
  await byKey('/sub/assign-subscription', { product_id: 'basic' }, 201)
  await eventually(() => readStatuses().length === 3)
  assert.equal((await hotel())['subscription_status'], 'trial')
  assert.equal(readStatuses(), [
    { status: 'inactive', ...premium },
    { status: 'trial', ...premium },
    { status: 'trial', plan: 'basic' },
  ])

  await expect(world, 200, 'hotel', 'DELETE', `/hotel/delete/${ownHotel.ecosystem}`, { token: ownHotel.token })
  assert.is(await socket.closed, 4401)
  assert.equal(readStatuses().slice(3), [{ status: 'inactive', plan: 'basic' }])

  // After a restoration, earlier changes aren't published; each later one is.
  await expect(world, 200, 'hotel', 'POST', `/hotel/restore/${ownHotel.ecosystem}`, { token: root, body: {} })
  const loadHotel = () => expect(world, 200, 'hotel', 'GET', `/hotel/get/${ownHotel.ecosystem}`, { token: root })
  await eventually(async () => (await loadHotel())['subscription_status'] === 'active')
  assert.is(
    (await expect(world, 200, 'hotel', 'GET', `/hotel/get/${otherHotel.ecosystem}`, { token: root }))[
      'subscription_status'
    ],
    'active',
  )
})

test.run()
