import { CustomerService } from '../../../gen/platform/payment/v1/customers_pb.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { paymentForTest } from '../../../test/kit/payment.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('payment customers')
const payment = await paymentForTest()
const { customers, subscriptions, sandbox, newCustomer, host } = payment
const atProvider = async (path: string) =>
  (await sandbox.call('GET', `/v1${path}`, undefined, { authorization: 'Bearer sk_test_x' })).json
const requestsTo = async (path: string): Promise<{ method: string; path: string }[]> =>
  (await sandbox.call('GET', '/_requests?provider=payment')).json.data.filter((r: { path: string }) => r.path === path)
const requestsOf = async (email: string): Promise<unknown[]> =>
  (await sandbox.call('GET', '/_requests?provider=payment')).json.data.filter(
    (each: { method: string; body: { email?: string } | null }) => each.method === 'POST' && each.body?.email === email,
  )

test('a customer is created at the provider with e-mail, name and the hotel id, once per hotel', async () => {
  const hotelId = newId()
  const wish = { hotelId, email: 'pay@hotel.example', name: 'Grand Hôtel' }
  const { customer } = await customers.createCustomer(wish)
  const providerCustomer = await atProvider(`/customers/${customer?.id}`)
  assert.equal(
    [providerCustomer.email, providerCustomer.name, providerCustomer.metadata],
    ['pay@hotel.example', 'Grand Hôtel', { hotelId }],
  )
  const { customer: secondCustomer } = await customers.createCustomer({ ...wish, name: 'Other' })
  assert.equal(
    [secondCustomer?.id, secondCustomer?.name, secondCustomer?.hotelId],
    [customer?.id, 'Grand Hôtel', hotelId],
  )
  const { customer: read } = await customers.getCustomer({ customerId: customer?.id ?? '' })
  assert.equal(read, customer)
})

test('simultaneous calls for one hotel create one customer, here and at the provider', async () => {
  const wish = { hotelId: newId(), email: `${newId()}@hotel.example`, name: 'Twins' }
  const answers = await Promise.all([1, 2, 3].map(() => customers.createCustomer(wish)))
  assert.is(new Set(answers.map(({ customer }) => customer?.id)).size, 1)
  assert.is((await atProvider(`/customers?email=${encodeURIComponent(wish.email)}`)).data.length, 1)
})

test('a lost answer is recovered by its idempotency key', async () => {
  const wish = { hotelId: newId(), email: `${newId()}@hotel.example`, name: 'Lost', idempotencyKey: newId() }
  await sandbox.control({ provider: 'payment', mode: 'reset', after: true, times: 1, method: 'POST' })
  const { customer } = await customers.createCustomer(wish)
  const providerList = await atProvider(`/customers?email=${encodeURIComponent(wish.email)}`)
  assert.equal(
    providerList.data.map((each: { id: string }) => each.id),
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

test('a failing provider is a 502 after three retries, without its error text', async () => {
  for (const mode of ['500', 'garbage', '429']) {
    await sandbox.control({ provider: 'payment', mode, times: 5, retryAfter: 0 })
    const wish = { hotelId: newId(), email: `${newId()}@hotel.example`, name: 'A' }
    const error = await refusal(customers.createCustomer(wish))
    const errorFields = [error.info.status, error.info.class, error.rawMessage]
    assert.equal(errorFields, [502, 'ExternalServiceError', 'The payment provider failed'], mode)
    const tries = await requestsOf(wish.email)
    assert.is(tries.length, 4, mode)
    await sandbox.control({ provider: 'payment', mode: 'ok' })
    // The client's circuit breaker closes again soon.
    await eventually(() => customers.createCustomer(wish).catch(() => undefined))
  }
})

test('a request that the provider refuses is a 400 with the field, or a 409 for what the customer lacks', async () => {
  const bad = await refusal(customers.createCustomer({ hotelId: newId(), email: 'a"b@hotel.example', name: 'A' }))
  assert.equal(
    [bad.info.status, bad.info.violations[0]?.path, bad.info.violations[0]?.rule],
    [400, 'email', 'string.email'],
  )
  const hotelId = newId()
  const { customer } = await customers.createCustomer({
    hotelId,
    email: `declined-${hotelId}@hotel.example`,
    name: 'A',
  })
  const order = subscriptions.assignSubscription({ customerId: customer?.id ?? '', productId: 'premium' })
  const declined = await refusal(order)
  const words = 'The payment method of the customer was declined (card_declined)'
  assert.equal([declined.info.status, declined.info.class, declined.rawMessage], [409, 'ConflictError', words])
})

test('a customer or product unknown to the provider is not found', async () => {
  const { customerId } = await newCustomer()
  await sandbox.call('DELETE', `/v1/customers/${customerId}`, undefined, { authorization: 'Bearer sk_test_x' })
  const error = await refusal(subscriptions.assignSubscription({ customerId, productId: 'premium' }))
  assert.equal([error.info.status, error.rawMessage], [404, 'Customer not found'])
})

test('every customer of a hotel is removed by the hotel id, also one whose creation got no answer', async () => {
  const email = `${newId()}@hotel.example`
  const [hotelId, other] = [newId(), newId()]
  const headers = { authorization: 'Bearer sk_test_x', 'content-type': 'application/x-www-form-urlencoded' }
  const form = (id: string) => `email=${encodeURIComponent(email)}&metadata[hotelId]=${id}`
  const lostCustomer = (await sandbox.call('POST', '/v1/customers', form(hotelId), headers)).json
  const foreign = (await sandbox.call('POST', '/v1/customers', form(other), headers)).json
  const { customer } = await customers.createCustomer({ hotelId, email, name: 'Known' })
  const { ids } = await customers.removeHotelCustomer({ hotelId, email })
  assert.equal(new Set(ids), new Set([customer?.id, lostCustomer.id]))
  assert.is((await refusal(customers.getCustomer({ customerId: customer?.id ?? '' }))).info.status, 404)
  const remainingCustomers = (await atProvider(`/customers?email=${encodeURIComponent(email)}`)).data
  assert.equal(
    remainingCustomers.map((each: { id: string }) => each.id),
    [foreign.id],
  )
  assert.equal((await customers.removeHotelCustomer({ hotelId, email })).ids, [])
  const administrator = host.as(CustomerService, payment.member({ isSuperAdmin: true }))
  assert.is((await refusal(administrator.removeHotelCustomer({ hotelId, email }))).info.status, 403)
})

test('a deletion removes the customer and its subscription everywhere, and can be repeated', async () => {
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

test('a customer of another owner is never deleted at the provider', async () => {
  const headers = { authorization: 'Bearer sk_test_x', 'content-type': 'application/x-www-form-urlencoded' }
  const { json } = await sandbox.call('POST', '/v1/customers', 'name=Foreign', headers)
  await customers.deleteCustomer({ customerId: json.id })
  assert.is((await atProvider(`/customers/${json.id}`)).deleted, undefined)
})

test.after(() => payment.end())
test.run()
