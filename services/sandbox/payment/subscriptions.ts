import { type Response, Router } from 'express'
import { isFields, type JsonFields, plain } from '../wire.ts'
import { formOf, listOf, mergeMetadata, type Payment, refusesUnknown } from './fields.ts'
import { notFound, type Resource, type Subscription, seconds, stripeError, stripeId } from './store.ts'
import type { Webhooks } from './webhooks.ts'

const daySeconds = 86_400
const changeable = [
  'metadata',
  'description',
  'cancel_at_period_end',
  'trial_end',
  'items',
  'expand',
  'proration_behavior',
  'payment_behavior',
  'default_payment_method',
  'collection_method',
  'days_until_due',
  'trial_settings',
  'off_session',
]
const creatable = [...changeable, 'customer', 'trial_period_days', 'currency', 'automatic_tax', 'payment_settings']

/**
 * Subscriptions: create (with a trial), read, update, cancel, list. Without a trial they are active at once, as if a
 * card were on file.
 */
export function subscriptionRoutes({ store, webhooks, state }: Payment): Router {
  const router = Router()

  router.post('/', (_req, res) => {
    const form = formOf(res)
    if (refusesUnknown(res, form, creatable)) return
    const customer = payingCustomer(res, form)
    if (!customer) return
    const metadata = mergeMetadata({}, form['metadata'])
    if (typeof metadata === 'string') return stripeError(res, 400, metadata, { param: 'metadata' })
    const trial = trialOf(res, form)
    if (!trial) return
    if (store.subscriptions.size >= 50_000) return stripeError(res, 400, 'Too many subscriptions.')
    const id = stripeId('sub')
    const items = itemsOf(res, form['items'], id, trial.end)
    if (!items) return
    const subscription = subscriptionOf(form, { id, customer, items, metadata, trialEnd: trial.end })
    store.subscriptions.set(id, subscription)
    webhooks.emit('customer.subscription.created', subscription)
    state.changed()
    res.json(subscription)
  })

  router.get('/', (_req, res) => {
    const form = formOf(res)
    const status = form['status']
    const subscriptions = [...store.subscriptions.values()].filter(
      subscription =>
        (form['customer'] === undefined || subscription.customer === form['customer']) &&
        (status === 'all' ||
          (status === undefined
            ? subscription.status !== 'canceled'
            : subscription.status === (status === 'ended' ? 'canceled' : status))),
    )
    const list = listOf(res, subscriptions, form, '/v1/subscriptions')
    if (list) res.json(list)
  })

  router.param('id', (_req, res, next, id: string) => {
    const subscription = store.subscriptions.get(id)
    if (!subscription) return notFound(res, 'subscription', id)
    res.locals['subscription'] = subscription
    next()
  })
  const subscriptionIn = (res: Response) => res.locals['subscription'] as Subscription

  router.get('/:id', (_req, res) => void res.json(subscriptionIn(res)))

  router.post('/:id', (_req, res) => {
    const form = formOf(res)
    const subscription = subscriptionIn(res)
    if (refusesUnknown(res, form, changeable)) return
    if (subscription.status === 'canceled')
      return stripeError(res, 400, 'A canceled subscription can only update its cancellation_details.', { param: 'id' })
    const metadata = mergeMetadata(subscription.metadata, form['metadata'])
    if (typeof metadata === 'string') return stripeError(res, 400, metadata, { param: 'metadata' })
    const trial = trialOf(res, form)
    if (!trial) return
    const items = form['items'] === undefined ? undefined : itemsOf(res, form['items'], subscription.id, trial.end)
    if (form['items'] !== undefined && !items) return
    if (items)
      subscription['items'] = { ...(subscription['items'] as JsonFields), data: items, total_count: items.length }
    if (form['cancel_at_period_end'] !== undefined)
      subscription['cancel_at_period_end'] = form['cancel_at_period_end'] === 'true'
    if (form['description'] !== undefined) subscription['description'] = form['description'] || null
    if (form['trial_end'] === 'now') endTrial(subscription, 'active')
    else if (trial.end)
      Object.assign(subscription, {
        trial_end: trial.end,
        status: 'trialing',
        trial_start: subscription['trial_start'] ?? seconds(),
      })
    subscription.metadata = metadata
    webhooks.emit('customer.subscription.updated', subscription)
    state.changed()
    res.json(subscription)
  })

  router.delete('/:id', (_req, res) => {
    const subscription = subscriptionIn(res)
    if (subscription.status === 'canceled') return notFound(res, 'subscription', subscription.id)
    cancelSubscription(subscription, webhooks)
    state.changed()
    res.json(subscription)
  })

  /** The named customer; answers with an error for an unknown one, or when their card is declined. */
  function payingCustomer(res: Response, form: JsonFields): string | undefined {
    const customer = plain(form['customer'])
    if (!customer)
      return stripeError(res, 400, 'Missing required param: customer.', {
        code: 'parameter_missing',
        param: 'customer',
      })
    const record = store.customers.get(customer)
    if (!record || record.deleted !== undefined)
      return stripeError(res, 400, `No such customer: '${customer.slice(0, 100)}'`, {
        code: 'resource_missing',
        param: 'customer',
      })
    // Simulates a charge of the card on file, so that a refusal can be tested.
    if (plain(record['email']).startsWith('declined-'))
      return stripeError(res, 402, 'Your card was declined.', { type: 'card_error', code: 'card_declined' })
    return customer
  }

  /** The ordered items with their prices; answers with an error when one has no price. */
  function itemsOf(
    res: Response,
    orderedItems: unknown,
    subscription: string,
    trialEnd: number | undefined,
  ): Resource[] | undefined {
    const list = Array.isArray(orderedItems) ? orderedItems : []
    if (list.length === 0 || list.length > 20)
      return stripeError(res, 400, 'Missing required param: items.', { code: 'parameter_missing', param: 'items' })
    const now = seconds()
    const items: Resource[] = []
    for (const [i, item] of list.entries()) {
      const id = isFields(item) ? plain(item['price'] ?? item['plan']) : ''
      const price = store.prices.get(id)
      if (!price)
        return stripeError(res, 400, `No such price: '${id.slice(0, 100)}'`, {
          code: 'resource_missing',
          param: `items[${i}][price]`,
        })
      items.push({
        id: stripeId('si'),
        object: 'subscription_item',
        created: now,
        current_period_start: now,
        current_period_end: trialEnd ?? now + 30 * daySeconds,
        discounts: [],
        metadata: {},
        price,
        quantity: (isFields(item) && Number(plain(item['quantity']))) || 1,
        subscription,
      })
    }
    return items
  }
  return router
}

type Order = {
  id: string
  customer: string
  items: Resource[]
  metadata: Record<string, string>
  trialEnd: number | undefined
}

/** A new subscription with all fields of the provider. */
function subscriptionOf(form: JsonFields, { id, customer, items, metadata, trialEnd }: Order): Subscription {
  const trialDays = Number(plain(form['trial_period_days']) || 0)
  // Derived from the end, so that a trial is exactly that many days even if a second passes in between.
  const now = trialEnd && trialDays ? trialEnd - trialDays * daySeconds : seconds()
  return {
    id,
    object: 'subscription',
    created: now,
    application: null,
    automatic_tax: { enabled: false },
    billing_cycle_anchor: trialEnd ?? now,
    cancel_at: null,
    cancel_at_period_end: form['cancel_at_period_end'] === 'true',
    canceled_at: null,
    collection_method: form['collection_method'] ?? 'charge_automatically',
    currency: 'eur',
    customer,
    description: form['description'] ?? null,
    discounts: [],
    ended_at: null,
    items: {
      object: 'list',
      data: items,
      has_more: false,
      total_count: items.length,
      url: `/v1/subscription_items?subscription=${id}`,
    },
    latest_invoice: null,
    livemode: false,
    metadata,
    start_date: now,
    status: trialEnd ? 'trialing' : 'active',
    test_clock: null,
    trial_end: trialEnd ?? null,
    trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
    trial_start: trialEnd ? now : null,
  }
}

/** The requested end of the trial, if any; answers with an error when it is invalid. */
function trialOf(res: Response, form: JsonFields): { end: number | undefined } | undefined {
  const days = plain(form['trial_period_days'])
  const until = plain(form['trial_end'])
  if (form['trial_period_days'] !== undefined) {
    if (!/^\d{1,3}$/.test(days) || Number(days) > 730)
      return stripeError(res, 400, 'Invalid integer: trial_period_days', {
        code: 'parameter_invalid_integer',
        param: 'trial_period_days',
      })
    return { end: Number(days) > 0 ? seconds() + Number(days) * daySeconds : undefined }
  }
  if (form['trial_end'] === undefined || until === 'now') return { end: undefined }
  if (!/^\d{1,11}$/.test(until) || Number(until) <= seconds())
    return stripeError(res, 400, 'Invalid timestamp: must be an integer Unix timestamp in the future', {
      param: 'trial_end',
    })
  return { end: Number(until) }
}

/** Ends a trial now, with the given resulting status. */
export function endTrial(subscription: Subscription, status: string) {
  const now = seconds()
  Object.assign(subscription, { status, trial_end: now, billing_cycle_anchor: now })
  if (status === 'canceled') Object.assign(subscription, { canceled_at: now, ended_at: now })
}

/** Cancels at once and sends the webhook; does nothing for a cancelled one. */
export function cancelSubscription(subscription: Subscription, webhooks: Webhooks) {
  if (subscription.status === 'canceled') return
  const now = seconds()
  Object.assign(subscription, { status: 'canceled', canceled_at: now, ended_at: now })
  webhooks.emit('customer.subscription.deleted', subscription)
}
