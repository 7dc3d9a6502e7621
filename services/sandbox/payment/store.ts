import { randomBytes } from 'node:crypto'
import type { Response } from 'express'
import { createRing, type SandboxState } from '../state.ts'
import type { JsonFields } from '../wire.ts'

export type Resource = JsonFields & { id: string; object: string; created: number }
export type Customer = Resource & { metadata: Record<string, string>; deleted?: true }
export type Subscription = Resource & { customer: string; status: string; metadata: Record<string, string> }
export type WebhookDelivery = {
  at: string
  event: string
  type: string
  url: string
  attempt: number
  status: number | null
}

export type PaymentStore = ReturnType<typeof createPaymentStore>

/** The payment provider's records. Products and prices are fixed: a premium and a basic plan, monthly, in euros. */
export function createPaymentStore(state: SandboxState) {
  return {
    customers: new Map<string, Customer>(),
    subscriptions: new Map<string, Subscription>(),
    products: new Map(plans.map(plan => [plan.product.id, plan.product])),
    prices: new Map(plans.map(plan => [plan.price.id, plan.price])),
    deliveries: createRing<WebhookDelivery>(10_000, 16_000_000, state.changed),
  }
}

const plans = [plan('premium', 'Premium', 19_900), plan('basic', 'Basic', 4_900)]

function plan(key: string, name: string, amount: number) {
  const created = 1_735_689_600
  const product: Resource = {
    id: `prod_${key}`,
    object: 'product',
    created,
    active: true,
    default_price: `price_${key}_monthly`,
    description: null,
    images: [],
    livemode: false,
    metadata: { plan: key },
    name,
    type: 'service',
    updated: created,
    url: null,
  }
  const price: Resource = {
    id: `price_${key}_monthly`,
    object: 'price',
    created,
    active: true,
    billing_scheme: 'per_unit',
    currency: 'eur',
    livemode: false,
    lookup_key: key,
    metadata: { plan: key },
    nickname: name,
    product: product.id,
    recurring: { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    type: 'recurring',
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  }
  return { product, price }
}

export const stripeId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
export const seconds = (): number => Math.floor(Date.now() / 1000)

/** Stripe's error object. */
export function stripeError(
  res: Response,
  status: number,
  message: string,
  details: { code?: string; param?: string; type?: string } = {},
): undefined {
  const { type = 'invalid_request_error', ...rest } = details
  res.status(status).json({ error: { type, message, ...rest } })
}

export const notFound = (res: Response, kind: string, id: string): undefined =>
  stripeError(res, 404, `No such ${kind}: '${id.slice(0, 100)}'`, { code: 'resource_missing', param: 'id' })
