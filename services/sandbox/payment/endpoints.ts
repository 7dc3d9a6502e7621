import { randomBytes } from 'node:crypto'
import { Router } from 'express'
import { isText } from '../wire.ts'
import { formOf, listOf, type Payment, refusesUnknown } from './fields.ts'
import { notFound, seconds, stripeError, stripeId, type WebhookEndpoint } from './store.ts'

/** Webhook endpoints: create (only this answer contains the signing secret), list, delete. */
export function webhookRoutes({ store, state }: Payment): Router {
  const router = Router()
  router.post('/', (_req, res) => {
    const form = formOf(res)
    if (refusesUnknown(res, form, ['url', 'enabled_events', 'description', 'metadata', 'api_version', 'expand'])) return
    const { url, enabled_events: events } = form
    if (!isText(url, 2000) || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
      return stripeError(res, 400, 'Invalid URL: An explicit scheme (such as https) must be provided.', {
        code: 'url_invalid',
        param: 'url',
      })
    }
    if (
      !Array.isArray(events) ||
      events.length === 0 ||
      events.length > 250 ||
      !events.every(event => isText(event, 100))
    ) {
      return stripeError(res, 400, 'Missing required param: enabled_events.', {
        code: 'parameter_missing',
        param: 'enabled_events',
      })
    }
    if (store.endpoints.size >= 16)
      return stripeError(res, 400, 'You have reached the maximum of 16 test webhook endpoints.')
    const secret = `whsec_${randomBytes(24).toString('base64url')}`
    const endpoint: WebhookEndpoint = {
      id: stripeId('we'),
      object: 'webhook_endpoint',
      created: seconds(),
      livemode: false,
      status: 'enabled',
      url,
      enabled_events: events,
      secret,
    }
    store.endpoints.set(endpoint.id, endpoint)
    state.changed()
    res.json(endpoint)
  })
  router.get('/', (_req, res) => {
    const endpoints = [...store.endpoints.values()].map(({ secret: _secret, ...rest }) => rest)
    const list = listOf(res, endpoints, formOf(res), '/v1/webhook_endpoints')
    if (list) res.json(list)
  })
  router.delete('/:id', (req, res) => {
    if (!store.endpoints.delete(req.params.id)) return notFound(res, 'webhook endpoint', req.params.id)
    state.changed()
    res.json({ id: req.params.id, object: 'webhook_endpoint', deleted: true })
  })
  return router
}
