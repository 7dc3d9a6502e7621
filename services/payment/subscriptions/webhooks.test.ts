import { timestampDate } from '@bufbuild/protobuf/wkt'
import Stripe from 'stripe'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { paymentForTest, webhookSecret } from '../../../test/kit/payment.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import type { PaymentTables } from '../tables.ts'

const test = suite('webhooks of the payment provider')
const payment = await paymentForTest()
const db = openDatabase<PaymentTables>(payment.host.databaseUrl('payment'))
const { subscriptions, sandbox, webhooks, newCustomer, statusesOf } = payment
const signer = new Stripe('sk_test_signer').webhooks

async function subscribed() {
  const { customerId, hotelId } = await newCustomer()
  const { subscription } = await subscriptions.assignSubscription({ customerId, productId: 'premium' })
  const read = await sandbox.call('GET', `/v1/subscriptions/${subscription?.id}`, undefined, {
    authorization: 'Bearer sk_test_x',
  })
  return { customerId, hotelId, id: subscription?.id ?? '', object: read.json }
}

const statusOf = async (customerId: string) =>
  (await subscriptions.getSubscription({ customerId })).subscription?.status

/** Signs and sends a message as the provider does. */
function send(event: object | string, { secret = webhookSecret, age = 0 } = {}) {
  const payload = typeof event === 'string' ? event : JSON.stringify(event)
  const timestamp = Math.floor(Date.now() / 1000) - age
  const signature = signer.generateTestHeaderString({ payload, secret, timestamp })
  return webhooks.handleWebhook({ payload: Buffer.from(payload), signature })
}

const message = (object: object, fields: object = {}) => ({
  id: `evt_${newId()}`,
  object: 'event',
  type: 'customer.subscription.updated',
  created: Math.floor(Date.now() / 1000) + 10,
  data: { object },
  ...fields,
})

test('the end of a trial, in the provider’s form, changes the subscription and notifies the platform', async () => {
  const { customerId, hotelId, id } = await subscribed()
  await sandbox.call('POST', '/_control/trial', { subscription: id, status: 'active' })
  await eventually(async () => (await statusOf(customerId)) === 'active')
  const event = await eventually(() =>
    payment.events.find(({ payload }) => payload.customerId === customerId && payload.status === 'active'),
  )
  assert.equal([event.payload, event.ecosystemId], [{ id, customerId, status: 'active', plan: 'premium' }, hotelId])
})

test('a trial that ends without a payment makes the subscription inactive for good', async () => {
  const { customerId, id, object } = await subscribed()
  await sandbox.call('POST', '/_control/trial', { subscription: id, status: 'canceled' })
  await eventually(() => statusesOf(customerId).includes('inactive'))
  await send(message({ ...object, status: 'active' }, { created: Math.floor(Date.now() / 1000) + 1000 }))
  assert.is(await statusOf(customerId), 'inactive')
})

test('a subscription whose end was not reported is ended by a cancellation at the end of the period', async () => {
  const { customerId, id } = await subscribed()
  await sandbox.call('POST', '/_control/trial', { subscription: id, status: 'canceled' })
  await eventually(async () => (await statusOf(customerId)) === 'inactive')
  await db.updateTable('payment_subscriptions').set({ ended: 0, status: 'trial' }).where('id', '=', id).execute()
  const { subscription } = await subscriptions.cancelSubscription({ customerId, atPeriodEnd: true })
  assert.equal([subscription?.id, subscription?.status], [id, 'inactive'])
})

test('a repeated message has no second effect', async () => {
  const { customerId, object } = await subscribed()
  const event = message({ ...object, status: 'active' })
  const answers = await Promise.all([send(event), send(event), send(event)])
  assert.equal(answers.map(answer => answer.duplicate).toSorted(), [false, true, true])
  assert.equal({ ...(await send(event)) }, { ...(await send(event)), received: true, duplicate: true })
  await eventually(() => statusesOf(customerId).length > 1)
  assert.equal(statusesOf(customerId), ['trial', 'active'])
})

test('a late message does not undo a newer one', async () => {
  const { customerId, object } = await subscribed()
  const now = Math.floor(Date.now() / 1000)
  await send(message({ ...object, status: 'unpaid' }, { created: now + 20 }))
  await send(message({ ...object, status: 'active' }, { created: now + 10 }))
  assert.is(await statusOf(customerId), 'inactive')
  await send(message({ ...object, status: 'past_due' }, { created: now + 30 }))
  assert.is(await statusOf(customerId), 'active')
})

test('an overdue payment is told until it is collected or the subscription ends', async () => {
  const { customerId, object } = await subscribed()
  const now = Math.floor(Date.now() / 1000)
  const isPastDue = async () => (await subscriptions.getSubscription({ customerId })).subscription?.isPastDue
  assert.is(await isPastDue(), false)
  await send(message({ ...object, status: 'past_due' }, { created: now + 20 }))
  assert.equal([await isPastDue(), await statusOf(customerId)], [true, 'active'])
  await send(message({ ...object, status: 'active' }, { created: now + 30 }))
  assert.is(await isPastDue(), false)
  await send(message({ ...object, status: 'past_due' }, { created: now + 40 }))
  await send(message({ ...object, status: 'unpaid' }, { created: now + 50 }))
  assert.equal([await isPastDue(), await statusOf(customerId)], [false, 'inactive'])
})

/** Second of the latest report of the provider in the row. */
const toldAt = async (id: string) => {
  const row = await db.selectFrom('payment_subscriptions').select('told_at').where('id', '=', id).executeTakeFirst()
  return Math.floor((row?.told_at ?? new Date(0)).getTime() / 1000)
}

test('for two messages of the same second the state at the provider decides', async () => {
  const { customerId, id, object } = await subscribed()
  await sandbox.call('POST', '/_control/trial', { subscription: id, status: 'unpaid' })
  await eventually(async () => (await statusOf(customerId)) === 'inactive')
  await send(message({ ...object, status: 'active' }, { created: await toldAt(id) }))
  assert.is(await statusOf(customerId), 'inactive')
  // The reverse: the correct message comes last.
  await send(message({ ...object, status: 'active' }, { created: (await toldAt(id)) + 5 }))
  assert.is(await statusOf(customerId), 'active')
  await send(message({ ...object, status: 'unpaid' }, { created: await toldAt(id) }))
  assert.is(await statusOf(customerId), 'inactive')
  await send(message({ ...object, status: 'active' }, { created: await toldAt(id) }))
  assert.is(await statusOf(customerId), 'inactive')
  assert.equal(statusesOf(customerId).slice(0, 2), ['trial', 'inactive'])
})

test('while the provider cannot be asked about such a message it is refused, and accepted when it is repeated', async () => {
  const { customerId, id, object } = await subscribed()
  await sandbox.call('POST', '/_control/trial', { subscription: id, status: 'unpaid' })
  await eventually(async () => (await statusOf(customerId)) === 'inactive')
  await sandbox.control({ provider: 'payment', mode: '500', times: 1_000, path: id })
  // The sandbox's own messages may still come, and make one of the former second an older one.
  const lateMessage = await eventually(async () => {
    const one = message({ ...object, status: 'active' }, { created: await toldAt(id) })
    const status = await send(one).then(
      () => undefined,
      (error: unknown) => toRpcError(error).info.status,
    )
    return status === 502 ? one : undefined
  })
  await sandbox.control({ provider: 'payment', mode: 'ok' })
  assert.is(await statusOf(customerId), 'inactive')
  assert.is((await eventually(() => send(lateMessage).catch(() => undefined))).duplicate, false)
  assert.is(await statusOf(customerId), 'inactive')
})

test('a message from before a call does not undo the call', async () => {
  const { customerId, object, id } = await subscribed()
  await send(message({ ...object, status: 'active' }, { created: object.created - 60 }))
  assert.is(await statusOf(customerId), 'trial')
  const { subscription } = await subscriptions.cancelSubscription({ customerId, atPeriodEnd: true })
  assert.is(subscription?.cancelAtPeriodEnd, true)
  for (const created of [(await toldAt(id)) - 60, await toldAt(id)]) await send(message(object, { created }))
  assert.is((await subscriptions.getSubscription({ customerId })).subscription?.cancelAtPeriodEnd, true)
})

test('a subscription created at the provider is taken over', async () => {
  const { customerId, object } = await subscribed()
  await subscriptions.cancelSubscription({ customerId })
  const id = `sub_${newId()}`
  const later = object.created + 5
  await send(message({ ...object, id, created: later, status: 'active', trial_end: null }))
  const { subscription } = await subscriptions.getSubscription({ customerId })
  assert.equal([subscription?.id, subscription?.status, subscription?.trialEndsAt], [id, 'active', undefined])
  const createdAt = subscription?.createdAt
  assert.is(createdAt && timestampDate(createdAt).getTime(), later * 1000)
})

test('a subscription that no hotel booked is announced neither at its beginning nor at its end', async () => {
  const { customerId, id, object } = await subscribed()
  const other = { ...object, id: `sub_${newId()}` }
  await send(message(other, { type: 'customer.subscription.created' }))
  await send(message({ ...other, status: 'canceled' }, { type: 'customer.subscription.deleted' }))
  await send(message({ ...object, status: 'active' }))
  await eventually(() => statusesOf(customerId).length > 1)
  assert.equal(statusesOf(customerId), ['trial', 'active'])
  assert.is((await subscriptions.getSubscription({ customerId })).subscription?.id, id)
})

test('the subscription that a hotel pays is shown after the end of a newer one', async () => {
  const { customerId, id, object } = await subscribed()
  const newer = { ...object, id: `sub_${newId()}` }
  await send(message(newer))
  assert.is((await subscriptions.getSubscription({ customerId })).subscription?.id, newer.id)
  await send(message({ ...newer, status: 'canceled' }, { type: 'customer.subscription.deleted' }))
  const { subscription } = await subscriptions.getSubscription({ customerId })
  assert.equal([subscription?.id, subscription?.status], [id, 'trial'])
})

test('a cancellation ends every subscription of the hotel, and announces one end', async () => {
  const { customerId, id, object } = await subscribed()
  const newer = { ...object, id: `sub_${newId()}` }
  await send(message(newer))
  const { subscription } = await subscriptions.cancelSubscription({ customerId })
  assert.equal([subscription?.id, subscription?.status], [newer.id, 'inactive'])
  assert.is((await subscriptions.getSubscription({ customerId })).subscription?.status, 'inactive')
  const read = await sandbox.call('GET', `/v1/subscriptions/${id}`, undefined, { authorization: 'Bearer sk_test_x' })
  assert.is(read.json.status, 'canceled')
  await eventually(() => statusesOf(customerId).includes('inactive'))
  assert.equal(statusesOf(customerId), ['trial', 'inactive'])
})

test('a plan with a non-ASCII name uses the next name in ASCII', async () => {
  const { customerId, object } = await subscribed()
  const [item] = object.items.data
  const names: [plan: string, lookupKey: string | null, expected: string][] = [
    ['Été', 'summer', 'summer'],
    ['😀', 'é', 'prod_summer'],
    ['a\0b', null, 'prod_summer'],
    ['Summer 2026', 'summer', 'Summer 2026'],
  ]
  for (const [index, [plan, lookupKey, expected]] of names.entries()) {
    const price = { ...item.price, product: 'prod_summer', metadata: { plan }, lookup_key: lookupKey }
    // A new id per case, because a subscription's known plan stays with its product.
    const id = `sub_${newId()}`
    const created = object.created + index + 1
    await send(message({ ...object, id, created, items: { ...object.items, data: [{ ...item, price }] } }))
    const { subscription } = await subscriptions.getSubscription({ customerId })
    assert.equal([subscription?.id, subscription?.plan], [id, expected], plan)
  }
})

test('a signature that is invalid, expired or incomplete is refused with 401', async () => {
  const { customerId, object } = await subscribed()
  const event = message({ ...object, status: 'active' })
  const errors = [
    await refusal(send(event, { secret: 'whsec_of_somebody_else' })),
    await refusal(send(event, { age: 600 })),
  ]
  // Has a signature's length in characters, but not in bytes.
  const wide = `t=${Math.floor(Date.now() / 1000)},v1=${'é'.repeat(64)}`
  for (const signature of ['nonsense', wide])
    errors.push(await refusal(webhooks.handleWebhook({ payload: Buffer.from(JSON.stringify(event)), signature })))
  assert.equal(
    errors.map(each => each.info.status),
    [401, 401, 401, 401],
  )
  assert.is(await statusOf(customerId), 'trial')
})

test('a signed text that is not a message is a 400, and irrelevant messages are accepted', async () => {
  for (const text of ['not json', 'null', '[]', '{"id":"evt_1"}']) {
    const error = await refusal(send(text))
    assert.equal([error.info.status, error.info.violations[0]?.path], [400, 'payload'], text)
  }
  const { customerId, object } = await subscribed()
  const { price } = object.items.data[0]
  for (const less of [
    null,
    'sub_1',
    {},
    { ...object, items: undefined },
    { ...object, customer: 5 },
    { ...object, created: 'x' },
    { ...object, id: 'sub_é' },
    { ...object, customer: 'cus_😀' },
    { ...object, items: { data: [{ price: { ...price, product: 'prod_é' } }] } },
    { ...object, items: { data: [{ price: { ...price, metadata: undefined } }] } },
  ]) {
    const error = await refusal(send(message(less as object)))
    assert.equal([error.info.status, error.info.violations[0]?.path], [400, 'payload'], JSON.stringify(less))
  }
  assert.is((await refusal(send(message({}, { data: undefined })))).info.status, 400)
  assert.is(await statusOf(customerId), 'trial')
  assert.is((await send(message({ ...object, customer: 'cus_foreign', id: 'sub_foreign' }))).received, true)
  assert.is((await send(message({}, { type: 'invoice.paid' }))).duplicate, false)
})

test.after(async () => {
  await closeDatabase(db)
  await payment.end()
})
test.run()
