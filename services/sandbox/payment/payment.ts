import { createHash, randomBytes } from 'node:crypto'
import { type RequestHandler, Router } from 'express'
import { bodyText, credential, parseForm } from '../wire.ts'
import { customerRoutes } from './customers.ts'
import { expand, formOf, listOf, type Payment } from './fields.ts'
import { stripeError } from './store.ts'
import { subscriptionRoutes } from './subscriptions.ts'

/**
 * The payment provider, shaped like Stripe's API under /v1: forms in, JSON out, error objects, idempotent POSTs,
 * cursors, expand.
 */
export function paymentRoutes(payment: Payment): Router {
  const router = Router()
  router.use(authenticate, readForm, idempotent())
  router.use((_req, res, next) => {
    const json = res.json.bind(res)
    res.json = body => json(res.statusCode < 400 ? expand(payment.store, body, formOf(res)['expand']) : body)
    next()
  })
  router.use('/customers', customerRoutes(payment))
  router.use('/subscriptions', subscriptionRoutes(payment))
  router.get('/prices', (_req, res) => {
    const form = formOf(res)
    const prices = [...payment.store.prices.values()].filter(price =>
      ['active', 'product', 'type'].every(name => form[name] === undefined || String(price[name]) === form[name]),
    )
    const list = listOf(res, prices, form, '/v1/prices')
    if (list) res.json(list)
  })
  router.use((req, res) =>
    stripeError(res, 404, `Unrecognized request URL (${req.method}: ${req.path.slice(0, 200)}).`),
  )
  return router
}

const authenticate: RequestHandler = (req, res, next) => {
  res.set('Request-Id', `req_${randomBytes(7).toString('hex')}`)
  const version = req.headers['stripe-version']
  if (typeof version === 'string' && /^[\w.-]{1,40}$/.test(version)) res.set('Stripe-Version', version)
  const basic = credential(req, 'Basic')
  const key = credential(req, 'Bearer') ?? (basic && Buffer.from(basic, 'base64').toString('utf8').split(':')[0])
  if (!key) return stripeError(res, 401, 'You did not provide an API key.')
  if (!/^(sk|rk)_\w+$/.test(key) || key.includes('invalid')) {
    return stripeError(res, 401, `Invalid API Key provided: ${key.slice(0, 7)}****`, { code: 'api_key_invalid' })
  }
  next()
}

const readForm: RequestHandler = (req, res, next) => {
  const body = bodyText(req)
  const search = req.originalUrl.split('?', 2)[1] ?? ''
  if (body !== '' && !req.is('application/x-www-form-urlencoded')) {
    return stripeError(
      res,
      400,
      'Invalid request (check that your POST content type is application/x-www-form-urlencoded).',
    )
  }
  const form = parseForm([search, body].filter(Boolean).join('&'))
  if (!form) return stripeError(res, 400, 'Invalid request: the parameters cannot be read.')
  res.locals['form'] = form
  next()
}

type StoredAnswer = { fingerprint: string; status: number; body: unknown; at: number }
const keptMs = 24 * 3_600_000

// Like Stripe: a key repeats the first answer of its POST for 24 h. Unlike Stripe, only successes are stored, so that
// an injected fault doesn't stick to the retries.
function idempotent(): RequestHandler {
  const answers = new Map<string, StoredAnswer>()
  return (req, res, next) => {
    const key = req.headers['idempotency-key']
    if (req.method !== 'POST' || typeof key !== 'string') return next()
    if (key.length > 255)
      return stripeError(res, 400, 'Idempotency keys have up to 255 characters.', { type: 'idempotency_error' })
    res.set('Idempotency-Key', encodeURI(key).slice(0, 800))
    const fingerprint = createHash('sha256')
      .update(`${req.originalUrl}\n${bodyText(req)}`)
      .digest('hex')
    const first = answers.get(key)
    if (first && Date.now() - first.at < keptMs) {
      if (first.fingerprint === fingerprint)
        return void res.set('Idempotent-Replayed', 'true').status(first.status).json(first.body)
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.'
      return stripeError(res, 400, message, { type: 'idempotency_error' })
    }
    const json = res.json.bind(res)
    res.json = body => {
      if (res.statusCode < 300)
        answers.set(key, { fingerprint, status: res.statusCode, body: structuredClone(body), at: Date.now() })
      const oldest = answers.size > 20_000 ? answers.keys().next().value : undefined
      if (oldest !== undefined) answers.delete(oldest)
      return json(body)
    }
    next()
  }
}
