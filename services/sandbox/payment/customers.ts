import { type Response, Router } from 'express'
import { isAddress, toText } from '../request-values.ts'
import { type Customer, formOf, listOf, metadataOf, notFound, seconds, stripeError, stripeId } from './store.ts'
import { cancelSubscription } from './subscriptions.ts'
import type { PaymentSandbox } from './webhooks.ts'

/** Customers: create, read, update, delete (which cancels their subscriptions), list. */
export function customerRoutes({ store, webhooks, state }: PaymentSandbox): Router {
  const router = Router()
  router.post('/', (_req, res) => {
    const fields = fieldsOf(res)
    if (!fields) return
    const customer: Customer = {
      id: stripeId('cus'),
      object: 'customer',
      created: seconds(),
      livemode: false,
      name: null,
      email: null,
      ...fields,
      metadata: metadataOf(formOf(res)),
    }
    store.customers.set(customer.id, customer)
    state.changed()
    res.json(customer)
  })

  router.get('/', (_req, res) => {
    const { email } = formOf(res)
    const customers = [...store.customers.values()].filter(
      customer => !customer.deleted && (email === undefined || customer['email'] === email),
    )
    res.json(listOf(customers, '/v1/customers'))
  })

  router.get('/:id', (req, res) => {
    const customer = store.customers.get(req.params.id)
    if (!customer) return notFound(res, 'customer', req.params.id)
    res.json(customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : customer)
  })

  router.post('/:id', (req, res) => {
    const customer = store.customers.get(req.params.id)
    if (!customer || customer.deleted) return notFound(res, 'customer', req.params.id)
    const fields = fieldsOf(res)
    if (!fields) return
    Object.assign(customer, fields, { metadata: { ...customer.metadata, ...metadataOf(formOf(res)) } })
    state.changed()
    res.json(customer)
  })

  router.delete('/:id', (req, res) => {
    const customer = store.customers.get(req.params.id)
    if (!customer || customer.deleted) return notFound(res, 'customer', req.params.id)
    for (const subscription of store.subscriptions.values())
      if (subscription.customer === customer.id) cancelSubscription(subscription, webhooks)
    customer.deleted = true
    state.changed()
    res.json({ id: customer.id, object: 'customer', deleted: true })
  })
  return router
}

/** The name and address given; answers with an error for an invalid address. */
function fieldsOf(res: Response): { name?: string; email?: string } | undefined {
  const { name, email } = formOf(res)
  if (email !== undefined && !isAddress(email)) {
    const details = { code: 'email_invalid', param: 'email' }
    return stripeError(res, 400, `Invalid email address: ${toText(email).slice(0, 100)}`, details)
  }
  return { ...(name !== undefined && { name: toText(name) }), ...(email !== undefined && { email }) }
}
