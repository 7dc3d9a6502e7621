import { createHash, randomBytes } from 'node:crypto'
import { type RequestHandler, Router } from 'express'
import { bodyText, credential, parseForm } from '../request-values.ts'
import { customerRoutes } from './customers.ts'
import { formOf, listPrices, stripeError } from './store.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import type { PaymentSandbox } from './webhooks.ts'

/**
 * The payment provider, shaped like Stripe's API under /v1: forms in, JSON out, error objects, idempotent POSTs.
 */
export function paymentRoutes(payment: PaymentSandbox): Router {
  const router = Router()
  router.use(authenticate, readForm, repeatFirstAnswer())
  router.use('/customers', customerRoutes(payment))
  router.use('/subscriptions', subscriptionRoutes(payment))
  router.get('/prices', (_req, res) => void res.json(listPrices(formOf(res)['expand'] !== undefined)))
  router.use((req, res) =>
    stripeError(res, 404, `Unrecognized request URL (${req.method}: ${req.path.slice(0, 200)}).`),
  )
  return router
}

const authenticate: RequestHandler = (req, res, next) => {
  res.set('Request-Id', `req_${randomBytes(7).toString('hex')}`)
  const key = credential(req, 'Bearer') ?? ''
  if (/^(sk|rk)_\w+$/.test(key) && !key.includes('invalid')) return next()
  stripeError(res, 401, `Invalid API Key provided: ${key.slice(0, 7)}****`, { code: 'api_key_invalid' })
}

const readForm: RequestHandler = (req, res, next) => {
  const body = bodyText(req)
  const search = req.originalUrl.split('?', 2)[1] ?? ''
  if (body !== '' && !req.is('application/x-www-form-urlencoded')) {
    return stripeError(res, 400, 'Invalid request: the content type must be application/x-www-form-urlencoded.')
  }
  const form = parseForm([search, body].filter(Boolean).join('&'))
  if (!form) return stripeError(res, 400, 'Invalid request: the parameters cannot be read.')
  res.locals['form'] = form
  next()
}

type StoredAnswer = { fingerprint: string; status: number; body: unknown }

// Like Stripe: a key repeats the first answer of its POST. Unlike Stripe, only successes are stored, so that an
// injected fault doesn't stick to the retries.
function repeatFirstAnswer(): RequestHandler {
  const answers = new Map<string, StoredAnswer>()
  return (req, res, next) => {
    const key = req.headers['idempotency-key']
    if (req.method !== 'POST' || typeof key !== 'string') return next()
    const fingerprint = createHash('sha256')
      .update(`${req.originalUrl}\n${bodyText(req)}`)
      .digest('hex')
    const first = answers.get(key)
    if (first?.fingerprint === fingerprint)
      return void res.status(first.status).set('Idempotent-Replayed', 'true').json(first.body)
    if (first) {
      const message =
        'Keys for idempotent requests can only be used with the same parameters they were first used with.'
      return stripeError(res, 400, message, { type: 'idempotency_error' })
    }
    const json = res.json.bind(res)
    res.json = body => {
      if (res.statusCode < 300) answers.set(key, { fingerprint, status: res.statusCode, body: structuredClone(body) })
      const oldest = answers.size > 20_000 ? answers.keys().next().value : undefined
      if (oldest !== undefined) answers.delete(oldest)
      return json(body)
    }
    next()
  }
}
