import { randomBytes } from 'node:crypto'
import type { Response } from 'express'
import { isFields, type JsonFields } from '../request-values.ts'

type Resource = JsonFields & { id: string; object: string; created: number }
export type Customer = Resource & { metadata: Record<string, string>; deleted?: true }
export type Subscription = Resource & { customer: string; status: string; metadata: Record<string, string> }

/** The payment provider's records. */
export type PaymentStore = { customers: Map<string, Customer>; subscriptions: Map<string, Subscription> }

export const createPaymentStore = (): PaymentStore => ({ customers: new Map(), subscriptions: new Map() })

/** Products and prices are fixed: a premium and a basic plan, monthly, in euros. */
const plans = [plan('premium', 'Premium', 19_900), plan('basic', 'Basic', 4_900)]

function plan(key: string, name: string, amount: number) {
  const common = { created: 1_735_689_600, active: true, livemode: false, metadata: { plan: key } }
  const product = { ...common, id: `prod_${key}`, object: 'product', default_price: `price_${key}_monthly`, name }
  const price = {
    ...common,
    id: product.default_price,
    object: 'price',
    billing_scheme: 'per_unit',
    currency: 'eur',
    lookup_key: key,
    product: product.id,
    recurring: { interval: 'month', interval_count: 1, usage_type: 'licensed' },
    type: 'recurring',
    unit_amount: amount,
  }
  return { product, price }
}

export const priceOf = (id: string) => plans.find(({ price }) => price.id === id)?.price

/** All prices; their products whole if the caller expands them. */
export const listPrices = (expandsProduct: boolean) =>
  listOf(
    plans.map(({ product, price }) => (expandsProduct ? { ...price, product } : price)),
    '/v1/prices',
  )

/** A list, newest first, on one page. */
export const listOf = (items: unknown[], url: string) => ({
  object: 'list',
  url,
  has_more: false,
  data: items.toReversed().slice(0, 100),
})

/** The parameters of a request, from query and form body. */
export const formOf = (res: Response): JsonFields => res.locals['form'] as JsonFields

export const metadataOf = (form: JsonFields): Record<string, string> =>
  isFields(form['metadata']) ? { ...(form['metadata'] as Record<string, string>) } : {}

export const stripeId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`
export const seconds = (): number => Math.floor(Date.now() / 1000)

/** Stripe's error object. */
export function stripeError(
  res: Response,
  status: number,
  message: string,
  details: { code?: string; param?: string; type?: string } = {},
): undefined {
  res.status(status).json({ error: { type: 'invalid_request_error', message, ...details } })
}

export const notFound = (res: Response, kind: string, id: string, param = 'id'): undefined =>
  stripeError(res, 404, `No such ${kind}: '${id.slice(0, 100)}'`, { code: 'resource_missing', param })
