import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'

const test = suite('sandbox payment')
type Hook = { body: string; signature: string }
const hooks: Hook[] = []
let refusals = 0
const receiver = createServer((req, res) => void receive(req, res)).listen(0, '127.0.0.1')
async function receive(req: IncomingMessage, res: ServerResponse) {
  let body = ''
  for await (const chunk of req) body += chunk
  if (refusals > 0) {
    refusals--
    return void res.writeHead(500).end()
  }
  hooks.push({ body, signature: String(req.headers['stripe-signature']) })
  res.end()
  receiver.emit('hook')
}
await once(receiver, 'listening')
const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhook`
const secret = 'whsec_test'
const sandbox = await sandboxForTest({ env: { STRIPE_WEBHOOK_TARGET: target, PAYMENT_WEBHOOK_SECRET: secret } })
const { hostname, port } = new URL(sandbox.url)
const client = (key = 'sk_test_1', maxNetworkRetries = 0) =>
  new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries,
    timeout: 60_000,
    telemetry: false,
  })
const stripe = client()
test.after(async () => {
  await sandbox.close()
  receiver.close()
})

async function hook(type: string, id: string): Promise<Stripe.Event> {
  for (;;) {
    for (const { body, signature } of hooks) {
      const event = stripe.webhooks.constructEvent(body, signature, secret)
      if (event.type === type && (event.data.object as { id: string }).id === id) return event
    }
    await once(receiver, 'hook', { signal: AbortSignal.timeout(30_000) })
  }
}
const fails = async (call: PromiseLike<unknown>, type: string) => {
  const error = await Promise.resolve(call).then(
    () => undefined,
    (reason: { type?: string }) => reason,
  )
  assert.is(error?.type, type)
}
const premium = async () => (await stripe.prices.list({ product: 'prod_premium' })).data[0]?.id ?? ''
const subscribed = async () => {
  const customer = await stripe.customers.create({ email: 'h@hotel.test', name: 'Hôtel', metadata: { hotelId: 'a1' } })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: await premium() }],
    trial_period_days: 14,
    metadata: { hotelId: 'a1' },
  })
  return { customer, subscription }
}

test("the provider's own library creates a customer and a subscription with a trial of 14 days", async () => {
  const { customer, subscription } = await subscribed()
  assert.match(customer.id, /^cus_/)
  assert.equal({ ...customer.metadata }, { hotelId: 'a1' })
  assert.is(subscription.status, 'trialing')
  assert.is((subscription.trial_end ?? 0) - (subscription.trial_start ?? 0), 14 * 86_400)
  assert.is(subscription.items.data[0]?.price.product, 'prod_premium')
  assert.is((await stripe.subscriptions.retrieve(subscription.id)).customer, customer.id)
  const list = await stripe.subscriptions.list({ customer: customer.id, expand: ['data.customer'] })
  assert.is((list.data[0]?.customer as Stripe.Customer | undefined)?.email, 'h@hotel.test')
})

test('a premium and a basic plan are available, with their products by expansion', async () => {
  const { data } = await stripe.prices.list({ active: true, type: 'recurring', expand: ['data.product'] })
  assert.equal(data.map(price => (price.product as Stripe.Product).name).sort(), ['Basic', 'Premium'])
})

test('changes of a subscription are sent as webhooks with a valid signature, and a refused one is repeated', async () => {
  const { customer, subscription } = await subscribed()
  await hook('customer.subscription.created', subscription.id)
  refusals = 1
  const ended = await sandbox.call('POST', '/_control/trial', { subscription: subscription.id })
  assert.is(ended.json.data.status, 'active')
  const event = await hook('customer.subscription.updated', subscription.id)
  assert.is((event.data.object as Stripe.Subscription).status, 'active')
  assert.is((await stripe.subscriptions.cancel(subscription.id)).status, 'canceled')
  await hook('customer.subscription.deleted', subscription.id)
  assert.throws(() => stripe.webhooks.constructEvent(hooks[0]?.body ?? '', hooks[0]?.signature ?? '', 'whsec_other'))
  assert.is((await stripe.subscriptions.list({ customer: customer.id })).data.length, 0)
  assert.is((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data.length, 1)
})

test("an update moves metadata, cancellation at the period's end and ends the trial", async () => {
  const { subscription } = await subscribed()
  const updated = await stripe.subscriptions.update(subscription.id, {
    metadata: { hotelId: '', plan: 'premium' },
    cancel_at_period_end: true,
    trial_end: 'now',
  })
  assert.equal({ ...updated.metadata }, { plan: 'premium' })
  assert.is(updated.cancel_at_period_end, true)
  assert.is(updated.status, 'active')
})

test('deleting a customer deletes its subscriptions and sends events', async () => {
  const { customer, subscription } = await subscribed()
  assert.is((await stripe.customers.del(customer.id)).deleted, true)
  assert.is((await stripe.customers.retrieve(customer.id)).deleted, true)
  assert.is((await stripe.subscriptions.retrieve(subscription.id)).status, 'canceled')
  const { customers, subscriptions } = (await sandbox.call('GET', '/_state/payment')).json
  assert.not.ok(customers.some((each: { id: string }) => each.id === customer.id))
  assert.not.ok(subscriptions.some((each: { id: string }) => each.id === subscription.id))
})

test('a repeated idempotency key returns the same customer, and with other parameters an error', async () => {
  const key = { idempotencyKey: 'hotel-1-customer' }
  const first = await stripe.customers.create({ name: 'A' }, key)
  assert.is((await stripe.customers.create({ name: 'A' }, key)).id, first.id)
  await fails(stripe.customers.create({ name: 'B' }, key), 'StripeIdempotencyError')
})

test('an answer lost after its effect is recovered by retrying with the same key, without a second effect', async () => {
  const before = (await sandbox.call('GET', '/_state/payment')).json.customers.length
  await sandbox.control({ provider: 'payment', mode: 'reset', after: true, path: '/v1/customers' })
  const made = await client('sk_test_1', 2).customers.create({ name: 'Once' })
  assert.match(made.id, /^cus_/)
  assert.is((await sandbox.call('GET', '/_state/payment')).json.customers.length, before + 1)
})

test('the library recognises the provider’s error classes', async () => {
  const bad = 'StripeInvalidRequestError'
  await fails(client('sk_invalid').customers.list(), 'StripeAuthenticationError')
  await fails(stripe.customers.retrieve('cus_none'), bad)
  await fails(stripe.subscriptions.create({ customer: 'cus_none', items: [{ price: 'p' }] }), bad)
  await fails(stripe.customers.create({ email: 'nobody' }), bad)
  await fails(stripe.customers.create({ nonsense: 'x' } as Stripe.CustomerCreateParams), bad)
  await fails(stripe.customers.list({ limit: 1000 }), bad)
  await sandbox.control({ provider: 'payment', mode: '429' })
  await fails(stripe.customers.list(), 'StripeRateLimitError')
  await sandbox.control({ provider: 'payment', mode: '500' })
  await fails(stripe.customers.list(), 'StripeAPIError')
  await sandbox.control({ provider: 'payment', mode: 'reset', times: 9 })
  await fails(stripe.customers.list(), 'StripeConnectionError')
  await sandbox.control({ provider: 'payment', mode: 'ok' })
  await sandbox.control({ provider: 'payment', mode: 'garbage' })
  await fails(stripe.customers.list(), 'StripeAPIError')
})

test('lists are paged by cursor', async () => {
  const email = 'pages@hotel.test'
  for (const name of ['1', '2', '3']) await stripe.customers.create({ name, email })
  const names: (string | null | undefined)[] = []
  for await (const customer of stripe.customers.list({ email, limit: 2 })) names.push(customer.name)
  assert.equal(names, ['3', '2', '1'])
})

test.run()
