import { listeners } from '../../../edge/config.ts'
import type { RestService } from '../../../edge/catalogue.ts'
import { refTo, type Schema } from './schema.ts'

export const besideTag = { name: 'Operations', description: 'Routes without an RPC, served by the edge itself.' }

const json = (description: string, properties: Schema): Schema => ({
  description,
  content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
})

const ofEdge = (operationId: string, summary: string, rest: Schema): Schema => ({
  operationId,
  tags: [besideTag.name],
  summary,
  ...rest,
  security: [],
  'x-edge': true,
})

const bool = { type: 'boolean' }

/** Routes without an RPC: health, readiness and, at the payment service, the provider's webhook. */
export function besideRoutes(name: RestService): Record<string, Schema> {
  const health = {
    status: { type: 'string', enum: ['UP', 'DOWN'] },
    service: {
      type: 'string',
      example: listeners[name].health,
      description: 'Service name; several, separated by commas, on a shared port.',
    },
    timestamp: { type: 'string', format: 'date-time' },
  }
  const ready = { ready: bool, draining: bool, checks: { type: 'object', additionalProperties: bool } }
  const service = { name: 'service', in: 'query', description: 'Checks only this service.', schema: { type: 'string' } }
  return {
    '/health': {
      get: ofEdge('GetHealth', 'Whether the service is up', {
        parameters: [service],
        responses: {
          200: json('It is up.', health),
          404: refTo('responses', 'NotFoundError'),
          503: json('It is down.', health),
        },
      }),
    },
    '/ready': {
      get: ofEdge('GetReadiness', 'Whether the service accepts requests, with the state of its dependencies', {
        responses: { 200: json('It accepts requests.', ready), 503: json('It accepts no requests now.', ready) },
      }),
    },
    ...(name === 'payment' ? { '/webhooks/stripe': { post: webhook } } : {}),
  }
}

const event = {
  id: 'evt_1Qz7a2',
  object: 'event',
  type: 'customer.created',
  created: 1795252200,
  data: { object: { id: 'cus_Q2xhaXJlQ29y', object: 'customer' } },
}

const webhook = ofEdge(
  'ReceiveStripeEvent',
  'Receives a message of the payment provider, authenticated by its signature',
  {
    parameters: [{ name: 'Stripe-Signature', in: 'header', required: true, schema: { type: 'string' } }],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' }, example: event } } },
    responses: {
      200: json('Received; repeated messages have no effect.', { received: bool, duplicate: bool }),
      400: refTo('responses', 'ValidationError'),
      401: refTo('responses', 'UnauthorizedError'),
      default: refTo('responses', 'Failure'),
    },
  },
)
