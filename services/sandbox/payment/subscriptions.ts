import { type Response, Router } from 'express'
import { isFields, type JsonFields, toText } from '../request-values.ts'
import {
  formOf,
  listOf,
  metadataOf,
  notFound,
  priceOf,
  type Subscription,
  seconds,
  stripeError,
  stripeId,
} from './store.ts'
import type { PaymentSandbox, Webhooks } from './webhooks.ts'

const daySeconds = 86_400

/**
 * Subscriptions: create (with a trial), read, update, cancel, list. Without a trial they are active at once, as if a
 * card were on file.
 */
export function subscriptionRoutes({ store, webhooks, state }: PaymentSandbox): Router {
  const router = Router()

  router.post('/', (_req, res) => {
    const form = formOf(res)
    const customer = toText(form['customer'])
    const record = store.customers.get(customer)
    if (!record || record.deleted) return notFound(res, 'customer', customer, 'customer')
    // Simulates a charge of the card on file, so that a refusal can be tested.
    if (toText(record['email']).startsWith('declined-'))
      return stripeError(res, 402, 'Your card was declined.', { type: 'card_error', code: 'card_declined' })
    const now = seconds()
    const trialEnd = trialEndOf(form, now)
    const items = itemsOf(res, form, trialEnd ?? now + 30 * daySeconds)
    if (!items) return
    const subscription: Subscription = {
      id: stripeId('sub'),
      object: 'subscription',
      created: now,
      cancel_at_period_end: false,
      canceled_at: null,
      currency: 'eur',
      customer,
      ended_at: null,
      items: { object: 'list', data: items, has_more: false },
      livemode: false,
      metadata: metadataOf(form),
      start_date: now,
      status: trialEnd ? 'trialing' : 'active',
      trial_end: trialEnd ?? null,
      trial_start: trialEnd ? now : null,
    }
    store.subscriptions.set(subscription.id, subscription)
    webhooks.emit('customer.subscription.created', subscription)
    state.changed()
    res.json(subscription)
  })

  router.get('/', (_req, res) => {
    const { customer, status } = formOf(res)
    const subscriptions = [...store.subscriptions.values()].filter(
      subscription =>
        (customer === undefined || subscription.customer === customer) &&
        (status === 'all' || subscription.status !== 'canceled'),
    )
    res.json(listOf(subscriptions, '/v1/subscriptions'))
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
    if (subscription.status === 'canceled')
      return stripeError(res, 400, 'A canceled subscription can only update its cancellation_details.', { param: 'id' })
    if (form['items'] !== undefined) {
      const items = itemsOf(res, form, Number(subscription['trial_end'] ?? seconds() + 30 * daySeconds))
      if (!items) return
      subscription['items'] = { object: 'list', data: items, has_more: false }
    }
    if (form['cancel_at_period_end'] !== undefined)
      subscription['cancel_at_period_end'] = form['cancel_at_period_end'] === 'true'
    Object.assign(subscription.metadata, metadataOf(form))
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
  return router
}

function trialEndOf(form: JsonFields, now: number): number | undefined {
  const days = Number(toText(form['trial_period_days']))
  if (days > 0) return now + days * daySeconds
  return Number(toText(form['trial_end'])) || undefined
}

/** The ordered items with their prices; answers with an error when one has no price. */
function itemsOf(res: Response, form: JsonFields, periodEnd: number): JsonFields[] | undefined {
  const items: JsonFields[] = []
  for (const [i, item] of (Array.isArray(form['items']) ? form['items'] : []).entries()) {
    const { id, price: priceId } = isFields(item) ? item : {}
    const price = priceOf(toText(priceId))
    if (!price) {
      const details = { code: 'resource_missing', param: `items[${i}][price]` }
      return stripeError(res, 400, `No such price: '${toText(priceId).slice(0, 100)}'`, details)
    }
    items.push({
      id: toText(id) || stripeId('si'),
      object: 'subscription_item',
      current_period_end: periodEnd,
      price,
      quantity: 1,
    })
  }
  return items.length > 0 ? items : stripeError(res, 400, 'Missing required param: items.', { param: 'items' })
}

/** Ends a trial now, with the given resulting status. */
export function endTrial(subscription: Subscription, status: string) {
  const now = seconds()
  Object.assign(subscription, { status, trial_end: now })
  if (status === 'canceled') Object.assign(subscription, { canceled_at: now, ended_at: now })
}

/** Cancels at once and sends the webhook; does nothing for a cancelled one. */
export function cancelSubscription(subscription: Subscription, webhooks: Webhooks) {
  if (subscription.status === 'canceled') return
  const now = seconds()
  Object.assign(subscription, { status: 'canceled', canceled_at: now, ended_at: now })
  webhooks.emit('customer.subscription.deleted', subscription)
}
