import { type Response, Router } from 'express'
import { isAddress, isText, type JsonFields, plain } from '../wire.ts'
import { formOf, listOf, mergeMetadata, type Payment, refusesUnknown } from './fields.ts'
import { type Customer, notFound, seconds, stripeError, stripeId } from './store.ts'
import { cancelSubscription } from './subscriptions.ts'

const texts = ['name', 'email', 'description', 'phone']
const parameters = [...texts, 'metadata', 'address', 'preferred_locales', 'expand']

/** Customers: create, read, update, delete (which cancels their subscriptions), list. */
export function customerRoutes({ store, webhooks, state }: Payment): Router {
  const router = Router()
  router.post('/', (_req, res) => {
    const form = formOf(res)
    const fields = fieldsOf(res, form)
    if (!fields) return
    if (store.customers.size >= 50_000) return stripeError(res, 400, 'Too many customers.')
    const customer: Customer = {
      id: stripeId('cus'),
      object: 'customer',
      created: seconds(),
      balance: 0,
      currency: null,
      default_source: null,
      delinquent: false,
      discount: null,
      invoice_prefix: stripeId('').slice(1, 9).toUpperCase(),
      livemode: false,
      shipping: null,
      name: null,
      email: null,
      description: null,
      phone: null,
      address: null,
      preferred_locales: [],
      ...fields,
    }
    store.customers.set(customer.id, customer)
    state.changed()
    res.json(customer)
  })

  router.get('/', (_req, res) => {
    const form = formOf(res)
    const customers = [...store.customers.values()].filter(
      customer => !customer.deleted && (form['email'] === undefined || customer['email'] === form['email']),
    )
    const list = listOf(res, customers, form, '/v1/customers')
    if (list) res.json(list)
  })

  router.get('/:id', (req, res) => {
    const customer = store.customers.get(req.params.id)
    if (!customer) return notFound(res, 'customer', req.params.id)
    res.json(customer.deleted ? { id: customer.id, object: 'customer', deleted: true } : customer)
  })

  router.post('/:id', (req, res) => {
    const customer = store.customers.get(req.params.id)
    if (!customer || customer.deleted) return notFound(res, 'customer', req.params.id)
    const fields = fieldsOf(res, formOf(res))
    if (!fields) return
    Object.assign(customer, fields, { metadata: { ...customer.metadata, ...fields.metadata } })
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

function fieldsOf(res: Response, form: JsonFields): (JsonFields & { metadata: Record<string, string> }) | undefined {
  if (refusesUnknown(res, form, parameters)) return undefined
  const metadata = mergeMetadata({}, form['metadata'])
  if (typeof metadata === 'string') return stripeError(res, 400, metadata, { param: 'metadata' })
  const fields: JsonFields & { metadata: Record<string, string> } = { metadata }
  for (const name of texts) {
    const value = form[name]
    if (value === undefined) continue
    if (value !== '' && !isText(value, 512)) return stripeError(res, 400, `Invalid string: ${name}`, { param: name })
    if (name === 'email' && value !== '' && !isAddress(value)) {
      return stripeError(res, 400, `Invalid email address: ${plain(value).slice(0, 100)}`, {
        code: 'email_invalid',
        param: 'email',
      })
    }
    fields[name] = value === '' ? null : value
  }
  if (form['address'] !== undefined) fields['address'] = form['address']
  return fields
}
