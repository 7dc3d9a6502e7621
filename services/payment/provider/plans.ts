import type Stripe from 'stripe'
import { PlanService } from '../../../gen/platform/payment/v1/plans_pb.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { PaymentProvider } from './provider.ts'

export type PaymentPlan = {
  slug: string
  name: string
  productId: string
  priceId: string
  amount: number
  currency: string
  interval: string
  trialDays: number
  storageQuota: number
}

/** Plans on offer. */
export type PaymentPlans = {
  list(): Promise<PaymentPlan[]>
  /** By product id or slug. */
  find(productOrSlug: string): Promise<PaymentPlan | undefined>
}

const keptMs = 60_000
/** Defaults for products whose metadata lacks trial_days or storage_quota. */
const trialDays = 14
const storageQuota: Record<string, number> = { premium: 20_000, basic: 5_000 }
const smallestQuota = 1_000
/** The SDK's maximum of records from all pages of a list. */
const mostPrices = 10_000

/** The provider's active recurring products, read at most once a minute. */
export function plansOf(provider: PaymentProvider): PaymentPlans {
  let cachedPlans: { loadedAt: number; plans: Promise<PaymentPlan[]> } | undefined
  const list = () => {
    if (cachedPlans && Date.now() - cachedPlans.loadedAt < keptMs) return cachedPlans.plans
    const loading = { loadedAt: Date.now(), plans: loadPlans(provider) }
    cachedPlans = loading
    loading.plans.catch(() => {
      if (cachedPlans === loading) cachedPlans = undefined
    })
    return loading.plans
  }
  return {
    list,
    async find(name) {
      const plans = await list()
      return plans.find(plan => plan.productId === name) ?? plans.find(plan => plan.slug === name)
    },
  }
}

async function loadPlans({ ask }: PaymentProvider): Promise<PaymentPlan[]> {
  const query = { active: true, type: 'recurring' as const, limit: 100, expand: ['data.product'] }
  const prices = await ask('price.list', stripe => stripe.prices.list(query).autoPagingToArray({ limit: mostPrices }))
  const plans = new Map<string, PaymentPlan>()
  for (const price of prices) {
    const plan = planOf(price)
    // A product is offered at its default price, else at its cheapest.
    const offeredPlan = plans.get(plan?.productId ?? '')
    if (
      plan &&
      (!offeredPlan || isDefault(price) || (offeredPlan.amount > plan.amount && !isKnownDefault(prices, offeredPlan)))
    )
      plans.set(plan.productId, plan)
  }
  return [...plans.values()].toSorted((a, b) => a.amount - b.amount)
}

const isDefault = (price: Stripe.Price): boolean =>
  typeof price.product === 'object' && 'default_price' in price.product && price.product.default_price === price.id

const isKnownDefault = (prices: Stripe.Price[], plan: PaymentPlan): boolean =>
  prices.some(price => price.id === plan.priceId && isDefault(price))

function planOf(price: Stripe.Price): PaymentPlan | undefined {
  const { product, recurring } = price
  if (typeof product === 'string' || product.deleted || !product.active || !recurring) return undefined
  const slug = slugOf(price)
  return {
    slug,
    name: product.name,
    productId: product.id,
    priceId: price.id,
    amount: price.unit_amount ?? 0,
    currency: price.currency,
    interval: recurring.interval,
    trialDays: wholeNumber(product.metadata['trial_days']) ?? trialDays,
    storageQuota: wholeNumber(product.metadata['storage_quota']) ?? storageQuota[slug] ?? smallestQuota,
  }
}

/** Plan names are stored and requested in ASCII; other names are skipped. */
const isPlain = (name: string | null | undefined): name is string => /^[ -~]+$/.test(name ?? '')

/** The slug of a price's plan: from metadata or lookup key, else the product id. */
export function slugOf(price: Stripe.Price): string {
  const { product } = price
  const productPlan = typeof product === 'object' && !product.deleted ? product.metadata['plan'] : undefined
  const names = [productPlan, price.metadata['plan'], price.lookup_key]
  return (names.find(isPlain) ?? productOf(price)).slice(0, 64)
}

export const productOf = ({ product }: Stripe.Price): string => (typeof product === 'string' ? product : product.id)

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined

/** Plans that a hotel can subscribe to. */
export const planService = (plans: PaymentPlans): Rpc =>
  implement(PlanService, {
    async listPlans() {
      return { data: await plans.list() }
    },
  })
