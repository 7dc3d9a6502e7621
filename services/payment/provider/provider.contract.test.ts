import type Stripe from 'stripe'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'
import { contract } from '../../../test/kit/sandbox-contract.ts'
import { newId } from '../../kernel/base/ids.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { createProvider } from '../../kernel/provider/provider.ts'
import { providerSettings } from '../../kernel/provider/settings.ts'
import { plansOf } from './plans.ts'
import { connectProvider, idempotencyOptions, type PaymentProvider } from './provider.ts'

const sandbox = await sandboxForTest()

const connect = (baseUrl: string, secretKey: string): PaymentProvider =>
  connectProvider({ baseUrl, secretKey }, createProvider('payment', providerSettings({}, ''), { log: silentLog }))

type Place = {
  baseUrl: string
  secretKey: string
  /** Creates a product with a monthly price, or returns an existing one. */
  offer(stripe: Stripe): Promise<{ productId: string; priceId: string; withdraw(): Promise<void> }>
}

/** Accepts test keys only, so that no real money is charged. */
function testKey(secretKey: string): string {
  if (!/^(sk|rk)_test_/.test(secretKey)) throw new Error('CONTRACT_STRIPE_SECRET_KEY: must be a key of the test mode')
  return secretKey
}

async function newOffer(stripe: Stripe) {
  const product = await stripe.products.create({ name: `Contract ${newId()}`, metadata: { plan: 'contract' } })
  const recurring = { interval: 'month' as const }
  const price = await stripe.prices.create({ product: product.id, currency: 'eur', unit_amount: 100, recurring })
  return {
    productId: product.id,
    priceId: price.id,
    // The provider never deletes prices, so this one is deactivated.
    async withdraw() {
      await stripe.prices.update(price.id, { active: false })
      await stripe.products.update(product.id, { active: false })
    },
  }
}

contract(
  'the payment provider',
  {
    sandbox: {
      baseUrl: sandbox.url,
      secretKey: 'sk_test_contract',
      offer: async () => ({ productId: 'prod_basic', priceId: 'price_basic_monthly', withdraw: async () => undefined }),
    } as Place,
    needs: ['STRIPE_SECRET_KEY'],
    takes: ['STRIPE_BASE_URL'],
    real: ({ STRIPE_SECRET_KEY, STRIPE_BASE_URL = 'https://api.stripe.com' }) => ({
      baseUrl: STRIPE_BASE_URL,
      secretKey: testKey(STRIPE_SECRET_KEY),
      offer: newOffer,
    }),
  },
  (test, { baseUrl, secretKey, offer, isReal }) => {
    const { sdk, ask, askOrMissing } = connect(baseUrl, secretKey)
    const hotelId = newId()
    const email = `contract-${hotelId}@hotel.example`
    let customerId = ''
    let offered: Awaited<ReturnType<Place['offer']>>

    test.before(async () => {
      offered = await offer(await sdk())
    })
    test.after(async () => {
      if (customerId) await askOrMissing('customer.delete', stripe => stripe.customers.del(customerId))
      await offered?.withdraw()
      if (!isReal) await sandbox.close()
    })

    test('a customer is created once per key, and another one with the same key is refused with 409', async () => {
      const key = idempotencyOptions('customer', hotelId)
      const create = (name: string) =>
        ask('customer.create', stripe => stripe.customers.create({ email, name, metadata: { hotelId } }, key))
      const [first, secondCustomer] = [await create('Grand'), await create('Grand')]
      customerId = first.id
      assert.match(first.id, /^cus_/)
      assert.equal([secondCustomer.id, first.metadata, first.email], [first.id, { hotelId }, email])
      assert.is((await refusal(create('Petit'))).info.status, 409)
    })
    test('an invalid address is a 400 that names the field', async () => {
      const { info } = await refusal(ask('customer.create', stripe => stripe.customers.create({ email: 'nobody' })))
      assert.equal([info.status, info.violations.map(each => each.path)], [400, ['email']])
    })
    test('plans are listed with product, amount and interval', async () => {
      const plan = await plansOf({ sdk, ask, askOrMissing }).find(offered.productId)
      assert.equal([plan?.priceId, plan?.currency, plan?.interval], [offered.priceId, 'eur', 'month'])
      assert.type(plan?.amount, 'number')
    })
    test('a subscription begins with its trial, runs to the end of its period, and is cancelled once', async () => {
      const items = [{ price: offered.priceId }]
      const wish = { customer: customerId, items, trial_period_days: 14, metadata: { hotelId } }
      const key = idempotencyOptions('subscription', hotelId)
      const begin = () => ask('subscription.create', stripe => stripe.subscriptions.create(wish, key))
      const [subscription, secondSubscription] = [await begin(), await begin()]
      assert.equal(
        [subscription.status, secondSubscription.id, subscription.customer],
        ['trialing', subscription.id, customerId],
      )
      assert.is((subscription.trial_end ?? 0) - (subscription.trial_start ?? 0), 14 * 86_400)
      const [item] = subscription.items.data
      assert.is(item?.price.id, offered.priceId)
      assert.type(item?.current_period_end, 'number')
      const endingSubscription = await ask('subscription.update', stripe =>
        stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
      )
      assert.is(endingSubscription.cancel_at_period_end, true)
      const over = await ask('subscription.cancel', stripe => stripe.subscriptions.cancel(subscription.id))
      assert.equal([over.id, over.status], [subscription.id, 'canceled'])
      assert.is(
        await askOrMissing('subscription.cancel', stripe => stripe.subscriptions.cancel(subscription.id)),
        undefined,
      )
      const canceledSubscription = await askOrMissing('subscription.retrieve', stripe =>
        stripe.subscriptions.retrieve(subscription.id),
      )
      assert.is(canceledSubscription?.status, 'canceled')
    })
    test('an unknown customer, product or subscription is a 404, or missing', async () => {
      const nobody = `cus_${newId()}`
      const subscribe = (customer: string, price: string) =>
        refusal(ask('subscription.create', stripe => stripe.subscriptions.create({ customer, items: [{ price }] })))
      assert.is((await subscribe(nobody, offered.priceId)).rawMessage, 'Customer not found')
      assert.is((await subscribe(customerId, `price_${newId()}`)).rawMessage, 'Product not found')
      assert.is(
        await askOrMissing('subscription.retrieve', stripe => stripe.subscriptions.retrieve(`sub_${newId()}`)),
        undefined,
      )
    })
    test('a deleted customer is gone, and missing the second time', async () => {
      const del = () => askOrMissing('customer.delete', stripe => stripe.customers.del(customerId))
      assert.is((await del())?.deleted, true)
      assert.is(await del(), undefined)
      const read = await askOrMissing('customer.retrieve', stripe => stripe.customers.retrieve(customerId))
      assert.is(read?.deleted, true)
    })
    test('an invalid key is a 502 that does not reveal it', async () => {
      const other = connect(baseUrl, 'sk_test_invalid')
      const { info, rawMessage } = await refusal(other.ask('price.list', stripe => stripe.prices.list()))
      assert.equal([info.status, rawMessage], [502, 'The payment provider failed'])
    })
  },
)
