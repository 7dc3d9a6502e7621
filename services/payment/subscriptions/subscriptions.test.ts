import { timestampDate } from '@bufbuild/protobuf/wkt'
import { PlanService } from '../../../gen/platform/payment/v1/plans_pb.ts'
import { SubscriptionService } from '../../../gen/platform/payment/v1/subscriptions_pb.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { paymentForTest } from '../../../test/kit/payment.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('payment subscriptions')
const payment = await paymentForTest()
const { subscriptions, sandbox, newCustomer, host, statusesOf } = payment
const dayMs = 86_400_000
const atProvider = async (customerId: string): Promise<{ id: string; status: string; metadata: object }[]> => {
  const path = `/v1/subscriptions?status=all&customer=${customerId}`
  return (await sandbox.call('GET', path, undefined, { authorization: 'Bearer sk_test_x' })).json.data
}
const assigned = async (customerId: string, productId: string, idempotencyKey?: string) => {
  const key = idempotencyKey ? { idempotencyKey } : {}
  const { subscription } = await subscriptions.assignSubscription({ customerId, productId, ...key })
  if (!subscription) throw new Error('the answer holds no subscription')
  return subscription
}

test('plans are listed cheapest first, premium with 14 days of trial and 20000 MO', async () => {
  const { data } = await payment.plans.listPlans({})
  assert.equal(
    data.map(plan => plan.slug),
    ['basic', 'premium'],
  )
  const { name, productId, amount, currency, interval, trialDays, storageQuota } = data[1] ?? {}
  const premium = [name, productId, amount, currency, interval, trialDays, storageQuota]
  assert.equal(premium, ['Premium', 'prod_premium', 19_900, 'eur', 'month', 14, 20_000])
  assert.is((await host.as(PlanService, payment.member({})).listPlans({})).data.length, 2)
})

test('a customer gets a product with a trial of 14 days', async () => {
  const { customerId, hotelId } = await newCustomer()
  const subscription = await assigned(customerId, 'prod_premium')
  const { plan, status, productId, trialEndsAt, cancelAtPeriodEnd } = subscription
  assert.equal([plan, status, productId, cancelAtPeriodEnd], ['premium', 'trial', 'prod_premium', false])
  assert.equal([subscription.customerId, subscription.hotelId], [customerId, hotelId])
  const trial = (trialEndsAt ? timestampDate(trialEndsAt).getTime() : 0) - Date.now()
  assert.ok(Math.abs(trial - 14 * dayMs) < 60_000)
  const providerSubscriptions = await atProvider(customerId)
  assert.equal(
    providerSubscriptions.map(each => [each.id, each.metadata]),
    [[subscription.id, { hotelId, plan: 'premium' }]],
  )
})

test('assigning again changes nothing, and another plan moves the subscription', async () => {
  const { customerId } = await newCustomer()
  const first = await assigned(customerId, 'premium')
  assert.is((await assigned(customerId, 'prod_premium')).id, first.id)
  const changedSubscription = await assigned(customerId, 'basic')
  assert.equal(
    [changedSubscription.id, changedSubscription.plan, changedSubscription.productId, changedSubscription.status],
    [first.id, 'basic', 'prod_basic', 'trial'],
  )
  assert.is((await atProvider(customerId)).length, 1)
})

test('a late retry of an earlier call does not undo a later one', async () => {
  const { customerId } = await newCustomer()
  const key = newId()
  await assigned(customerId, 'premium')
  await assigned(customerId, 'basic', key)
  await assigned(customerId, 'premium')
  // Each message of the provider about these calls can correct one wrong answer.
  for (let i = 0; i < 5; i++) assert.is((await assigned(customerId, 'basic', key)).plan, 'premium')
})

test('simultaneous calls and lost answers leave one live subscription', async () => {
  const { customerId } = await newCustomer()
  await sandbox.control({ provider: 'payment', mode: 'reset', after: true, times: 1, path: '/v1/subscriptions' })
  const key = newId()
  const assignments = await Promise.all([assigned(customerId, 'premium', key), assigned(customerId, 'premium')])
  assert.is(new Set(assignments.map(each => each.id)).size, 1)
  assert.is((await atProvider(customerId)).filter(each => each.status !== 'canceled').length, 1)
})

/** A subscription whose process was killed before it was recorded. Its message leaves the record to that process. */
async function unrecordedSubscription() {
  const { customerId, hotelId } = await newCustomer()
  const form = new URLSearchParams({
    customer: customerId,
    'items[0][price]': 'price_premium_monthly',
    'metadata[hotelId]': hotelId,
    'metadata[plan]': 'premium',
  })
  const headers = { authorization: 'Bearer sk_test_x', 'content-type': 'application/x-www-form-urlencoded' }
  const { json } = await sandbox.call('POST', '/v1/subscriptions', String(form), headers)
  return { customerId, hotelId, id: String(json.id) }
}

test('a subscription that was not recorded is taken over by the next call', async () => {
  for (const plan of ['premium', 'basic']) {
    const { customerId, hotelId, id } = await unrecordedSubscription()
    const subscription = await assigned(customerId, plan)
    assert.equal([subscription.id, subscription.plan, subscription.hotelId], [id, plan, hotelId])
    assert.is((await atProvider(customerId)).length, 1)
  }
})

test('a subscription that was not recorded is cancelled', async () => {
  const { customerId, id } = await unrecordedSubscription()
  const { subscription } = await subscriptions.cancelSubscription({ customerId })
  assert.equal([subscription?.id, subscription?.status], [id, 'inactive'])
  assert.equal(
    (await atProvider(customerId)).map(({ status }) => status),
    ['canceled'],
  )
})

test('an unknown customer or product is not found, and a failing provider is a 502', async () => {
  const { customerId } = await newCustomer()
  const nobody = await refusal(assigned('cus_nobody', 'premium'))
  assert.equal([nobody.info.status, nobody.rawMessage], [404, 'Customer not found'])
  for (const plan of ['gold', 'prod_Summer', 'Summer 2026']) {
    const nothing = await refusal(assigned(customerId, plan))
    assert.equal([nothing.info.status, nothing.rawMessage], [404, 'Product not found'])
  }
  await sandbox.control({ provider: 'payment', mode: '500', path: '/v1/subscriptions?', times: 4 })
  assert.is((await refusal(assigned(customerId, 'premium'))).info.status, 502)
  await sandbox.control({ provider: 'payment', mode: 'ok' })
})

test('a cancellation ends the subscription at once, and can be repeated', async () => {
  const { customerId } = await newCustomer()
  const { id } = await assigned(customerId, 'premium')
  const { subscription } = await subscriptions.cancelSubscription({ customerId })
  assert.equal([subscription?.id, subscription?.status, !!subscription?.cancelledAt], [id, 'inactive', true])
  assert.is((await subscriptions.cancelSubscription({ customerId })).subscription, undefined)
  assert.is((await refusal(subscriptions.cancelSubscription({ customerId: 'cus_nobody' }))).info.status, 404)
  assert.is.not((await assigned(customerId, 'premium')).id, id)
})

test('a customer has one trial: a returning one has the rest of it, or none once it is over', async () => {
  const { customerId } = await newCustomer()
  const first = await assigned(customerId, 'premium')
  await subscriptions.cancelSubscription({ customerId })
  const newSubscription = await assigned(customerId, 'basic')
  assert.equal([newSubscription.status, newSubscription.trialEndsAt], ['trial', first.trialEndsAt])
  // The provider's clock gave both the same second.
  assert.is((await subscriptions.getSubscription({ customerId })).subscription?.id, newSubscription.id)
  await sandbox.call('POST', '/_control/trial', { subscription: newSubscription.id, status: 'canceled' })
  await eventually(
    async () => (await subscriptions.getSubscription({ customerId })).subscription?.status === 'inactive',
  )
  const paying = await assigned(customerId, 'premium')
  assert.equal([paying.status, paying.trialEndsAt], ['active', undefined])
})

test('a cancellation at the end of the period keeps the subscription until then, and a new assignment undoes it', async () => {
  const { customerId } = await newCustomer()
  const { id } = await assigned(customerId, 'premium')
  const { subscription } = await subscriptions.cancelSubscription({ customerId, atPeriodEnd: true })
  assert.equal([subscription?.cancelAtPeriodEnd, subscription?.status], [true, 'trial'])
  const secondAssignment = await assigned(customerId, 'premium')
  assert.equal([secondAssignment.id, secondAssignment.cancelAtPeriodEnd], [id, false])
})

test('only members with manage_ecosystem of the hotel see its subscription', async () => {
  const { customerId, hotelId } = await newCustomer()
  const { id } = await assigned(customerId, 'premium')
  const permissions = ['manage_ecosystem']
  const as = (claims: object) => host.as(SubscriptionService, payment.member(claims)).getSubscription({ customerId })
  assert.is((await as({ ecosystemId: hotelId, permissions })).subscription?.id, id)
  assert.is((await refusal(as({ ecosystemId: hotelId }))).info.status, 403)
  const foreign = await refusal(as({ permissions }))
  const unknown = await refusal(subscriptions.getSubscription({ customerId: 'cus_nobody' }))
  assert.equal([foreign.info.status, foreign.rawMessage], [404, unknown.rawMessage])
  const { customerId: bare } = await newCustomer()
  assert.is((await refusal(subscriptions.getSubscription({ customerId: bare }))).info.status, 404)
  const plain = host.as(SubscriptionService, payment.member({ ecosystemId: hotelId, permissions }))
  assert.is((await refusal(plain.assignSubscription({ customerId, productId: 'basic' }))).info.status, 403)
})

test('every change of status or plan is announced once, whatever its origin and its repetitions', async () => {
  const administrator = host.as(SubscriptionService, payment.member({ isSuperAdmin: true }))
  for (const by of [administrator, subscriptions]) {
    const { customerId } = await newCustomer()
    await by.assignSubscription({ customerId, productId: 'premium' })
    await by.assignSubscription({ customerId, productId: 'premium' })
    await by.assignSubscription({ customerId, productId: 'basic' })
    await by.cancelSubscription({ customerId, atPeriodEnd: true })
    await by.cancelSubscription({ customerId })
    await by.cancelSubscription({ customerId })
    await by.assignSubscription({ customerId, productId: 'premium' })
    await payment.customers.deleteCustomer({ customerId })
    const plans = () =>
      payment.events
        .filter(({ payload }) => payload.customerId === customerId)
        .map(({ payload }) => `${payload.status} ${payload.plan}`)
    await eventually(() => plans().length >= 5)
    // The provider's messages about all of this arrive later.
    const { customerId: last } = await newCustomer()
    await subscriptions.assignSubscription({ customerId: last, productId: 'premium' })
    await eventually(() => statusesOf(last).length === 1)
    assert.equal(plans(), ['trial premium', 'trial basic', 'inactive basic', 'trial premium', 'inactive premium'])
  }
})

test('the end of an earlier subscription does not end the current one', async () => {
  const { customerId } = await newCustomer()
  const first = await assigned(customerId, 'premium')
  await subscriptions.cancelSubscription({ customerId })
  const second = await assigned(customerId, 'basic')
  await sandbox.call('POST', '/_control/trial', { subscription: first.id, status: 'canceled' })
  await sandbox.call('POST', '/_control/trial', { subscription: second.id, status: 'active' })
  await eventually(() => statusesOf(customerId).length >= 4)
  assert.equal(statusesOf(customerId), ['trial', 'inactive', 'trial', 'active'])
})

test.after(() => payment.end())
test.run()
