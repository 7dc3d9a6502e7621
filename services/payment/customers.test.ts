import { CustomerService } from '../../gen/platform/payment/v1/customers_pb.ts'
import { newId } from '../kernel/ids.ts'
import { assert, refusal, suite } from '../kernel/testing.ts'
import { connectProvider, upstream } from './provider.ts'
import { paymentForTest } from './testing.ts'

const test = suite('payment customers')
const payment = await paymentForTest()
const { customers, subscriptions, sandbox, newCustomer, host } = payment
const atProvider = async (path: string) =>
  (await sandbox.call('GET', `/v1${path}`, undefined, { authorization: 'Bearer sk_test_x' })).json
const requestsTo = async (path: string): Promise<{ method: string; path: string }[]> =>
  (await sandbox.call('GET', '/_requests?provider=payment')).json.data.filter((r: { path: string }) => r.path === path)

test('a customer is made at the provider with e-mail, name and the hotel id, once per hotel', async () => {
  const hotelId = newId()
  const wish = { hotelId, email: 'pay@hotel.example', name: 'Grand Hôtel' }
  const { customer } = await customers.createCustomer(wish)
  const there = await atProvider(`/customers/${customer?.id}`)
  assert.equal([there.email, there.name, there.metadata], ['pay@hotel.example', 'Grand Hôtel', { hotelId }])
  const { customer: again } = await customers.createCustomer({ ...wish, name: 'Other' })
  assert.equal([again?.id, again?.name, again?.hotelId], [customer?.id, 'Grand Hôtel', hotelId])
  const { customer: read } = await customers.getCustomer({ customerId: customer?.id ?? '' })
  assert.equal(read, customer)
})

test('parallel calls for one hotel leave one customer, here and at the provider', async () => {
  const wish = { hotelId: newId(), email: `${newId()}@hotel.example`, name: 'Twins' }
  const made = await Promise.all([1, 2, 3].map(() => customers.createCustomer(wish)))
  assert.is(new Set(made.map(({ customer }) => customer?.id)).size, 1)
  assert.is((await atProvider(`/customers?email=${encodeURIComponent(wish.email)}`)).data.length, 1)
})

test('an answer that got lost is found again under its idempotency key', async () => {
  const wish = { hotelId: newId(), email: `${newId()}@hotel.example`, name: 'Lost', idempotencyKey: newId() }
  await sandbox.control({ provider: 'payment', mode: 'reset', after: true, times: 1, method: 'POST' })
  const { customer } = await customers.createCustomer(wish)
  const listed = await atProvider(`/customers?email=${encodeURIComponent(wish.email)}`)
  assert.equal(
    listed.data.map((each: { id: string }) => each.id),
    [customer?.id],
  )
})

test('a key that was used for another customer is a conflict', async () => {
  const idempotencyKey = newId()
  const wish = { email: 'a@hotel.example', name: 'A', idempotencyKey }
  await customers.createCustomer({ ...wish, hotelId: newId() })
  const used = await refusal(customers.createCustomer({ ...wish, hotelId: newId() }))
  assert.is(used.info.status, 409)
})

test('a provider that fails is a 502 after one more try, and its words stay inside', async () => {
  for (const mode of ['500', 'garbage', '429']) {
    await sandbox.control({ provider: 'payment', mode, times: 5 })
    const wish = { hotelId: newId(), email: 'a@hotel.example', name: 'A' }
    const failed = await refusal(customers.createCustomer(wish))
    const told = [failed.info.status, failed.info.class, failed.rawMessage]
    assert.equal(told, [502, 'ExternalServiceError', 'The payment provider failed'], mode)
    await sandbox.control({ provider: 'payment', mode: 'ok' })
  }
})

test('a provider that does not answer is given up after the time limit and one more try', async () => {
  await sandbox.control({ provider: 'payment', mode: 'delay', delayMs: 60_000, times: 10 })
  const stripe = connectProvider({ baseUrl: sandbox.url, secretKey: 'sk_test_x', timeLimitMs: 200 })
  const started = Date.now()
  const failed = await refusal(upstream(stripe.prices.list()))
  await sandbox.control({ provider: 'payment', mode: 'ok' })
  assert.is(failed.info.status, 502)
  assert.ok(Date.now() - started < 3_000)
  const tries = (await requestsTo('/v1/prices')).length
  assert.is(tries, 2)
})

test('a deletion removes the customer and its subscription everywhere, and again nothing happens', async () => {
  const { customerId, hotelId } = await newCustomer()
  const { subscription } = await subscriptions.assignSubscription({ customerId, productId: 'premium' })
  assert.is((await customers.deleteCustomer({ customerId })).id, customerId)
  assert.is((await atProvider(`/customers/${customerId}`)).deleted, true)
  assert.is((await atProvider(`/subscriptions/${subscription?.id}`)).status, 'canceled')
  await customers.deleteCustomer({ customerId })
  assert.is((await requestsTo(`/v1/customers/${customerId}`)).filter(r => r.method === 'DELETE').length, 1)
  assert.is((await refusal(customers.getCustomer({ customerId }))).info.status, 404)
  const { customer } = await customers.createCustomer({ hotelId, email: 'new@hotel.example', name: 'New' })
  assert.is.not(customer?.id, customerId)
})

test('a customer that is not ours is never deleted at the provider', async () => {
  const headers = { authorization: 'Bearer sk_test_x', 'content-type': 'application/x-www-form-urlencoded' }
  const { json } = await sandbox.call('POST', '/v1/customers', 'name=Foreign', headers)
  await customers.deleteCustomer({ customerId: json.id })
  assert.is((await atProvider(`/customers/${json.id}`)).deleted, undefined)
})

test('only services and platform administrators manage customers', async () => {
  const { customerId } = await newCustomer()
  const plain = payment.member({ permissions: ['manage_ecosystem'] })
  assert.is((await refusal(host.as(CustomerService, plain).getCustomer({ customerId }))).info.status, 403)
  assert.is((await refusal(host.as(CustomerService).getCustomer({ customerId }))).info.status, 401)
  const administrator = host.as(CustomerService, payment.member({ isSuperAdmin: true }))
  assert.is((await administrator.getCustomer({ customerId })).customer?.id, customerId)
})

test.after(() => payment.end())
test.run()
