import { CustomerService } from '../../../gen/platform/payment/v1/customers_pb.ts'
import { SubscriptionService } from '../../../gen/platform/payment/v1/subscriptions_pb.ts'
import { hotelSuite } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world, host, asRoot, wish } = await hotelSuite('subscription of a hotel')

const createHotel = () => asRoot.hotels.createHotel(wish())

test('a subscription change of the payment service changes the hotel and notifies its room', async () => {
  const hotel = await createHotel()
  const root = host.as(SubscriptionService, world.rootId)
  await root.cancelSubscription({ customerId: hotel.paymentCustomerId ?? '' })
  await eventually(async () => (await asRoot.hotels.getHotel({ id: hotel.id })).subscriptionStatus === 'inactive')
  const { body } = await world.waitForEvent('platform.hotel.subscription_status', hotel.id)
  assert.equal(body.payload, { id: hotel.id, hotelId: hotel.id, status: 'inactive', plan: 'premium' })
})

test('a trial from the set-up stays active, as documented', async () => {
  const hotel = await createHotel()
  const customerId = hotel.paymentCustomerId ?? ''
  const tell = (status: string) => {
    const payload = { id: 'sub_1', customerId, status, plan: 'premium' }
    return host.bus.publish(
      'platform.payment.subscription_changed',
      JSON.stringify({ ecosystemId: hotel.id, payload }),
      { id: newId() },
    )
  }
  for (const status of ['trial', 'inactive', 'trial', 'trial', 'inactive']) await tell(status)
  const events = await eventually(() => {
    const matches = world.events.filter(
      ({ subject, body }) => subject.endsWith('subscription_status') && body.payload['id'] === hotel.id,
    )
    return matches.length > 2 ? matches : undefined
  })
  assert.equal(
    events.map(({ body }) => body.payload['status']),
    ['inactive', 'trial', 'inactive'],
  )
})

test('a hotel follows a replaced payment customer, whose subscription ends with the hotel', async () => {
  const hotel = await createHotel()
  const [customers, subscriptions] = [
    host.as(CustomerService, world.rootId),
    host.as(SubscriptionService, world.rootId),
  ]
  await customers.deleteCustomer({ customerId: hotel.paymentCustomerId ?? '' })
  const { customer } = await customers.createCustomer({ hotelId: hotel.id, email: 'new@hotel.example', name: 'New' })
  const customerId = customer?.id ?? ''
  await subscriptions.assignSubscription({ customerId, productId: 'basic' })
  const followed = await eventually(async () => {
    const loadedHotel = await asRoot.hotels.getHotel({ id: hotel.id })
    return loadedHotel.paymentCustomerId === customerId ? loadedHotel : undefined
  })
  assert.is(followed.subscriptionStatus, 'trial')
  await asRoot.hotels.deleteHotel({ id: hotel.id })
  await eventually(
    async () => (await subscriptions.getSubscription({ customerId })).subscription?.status === 'inactive',
  )
})

test('an invalid message of the payment service is a dead letter and changes no hotel', async () => {
  const { id, paymentCustomerId: customerId = '' } = await createHotel()
  for (const [payload, field] of [
    [{ id: 'sub_1', customerId, status: 'gold', plan: 'premium' }, /status/],
    [{ id: 'sub_1', customerId, plan: 'premium' }, /status/],
    [{ id: 'sub_1', status: 'inactive', plan: 'premium' }, /customerId/],
  ] as const) {
    const { last } = await host.bus.bounds(host.bus.deadStream)
    await host.bus.publish('platform.payment.subscription_changed', JSON.stringify({ ecosystemId: id, payload }), {
      id: newId(),
    })
    const dead = await eventually(() => host.bus.read(host.bus.deadStream, last + 1))
    assert.match(dead.headers['Dead-Reason'] ?? '', field)
  }
  assert.is((await asRoot.hotels.getHotel({ id })).subscriptionStatus, 'active')
})

test.run()
