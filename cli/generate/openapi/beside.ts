import { listeners } from '../../../edge/config.ts'
import type { RestService } from '../../../gen/catalogue.ts'
import { refTo, type Schema } from './schema.ts'

export const besideTag = { name: 'Operations', description: 'Health, readiness and webhooks.' }

const json = (description: string, properties: Schema): Schema => ({
  description,
  content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } },
})

const ofEdge = (operationId: string, summary: string, details: Schema): Schema => ({
  operationId,
  tags: [besideTag.name],
  summary,
  ...details,
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
      examples: [listeners[name].health],
      description: 'Name of the service; on a shared port, several separated by commas.',
    },
    timestamp: { type: 'string', format: 'date-time' },
    version: { type: 'string', examples: ['1.0.0'], description: 'Version of the platform.' },
  }
  const ready = { ready: bool, draining: bool, checks: { type: 'object', additionalProperties: bool } }
  const service = { name: 'service', in: 'query', description: 'Only this service.', schema: { type: 'string' } }
  return {
    '/health': {
      get: ofEdge('GetHealth', 'Returns whether the service is up', {
        parameters: [service],
        responses: {
          200: json('The service is up.', health),
          404: refTo('responses', 'NotFoundError'),
          503: json('The service is down.', health),
        },
      }),
    },
    '/live': {
      get: ofEdge('GetLiveness', 'Returns whether the process runs', {
        responses: { 200: json('The process runs.', { live: bool }) },
      }),
    },
    '/ready': {
      get: ofEdge('GetReadiness', 'Returns whether the service accepts calls, and the state of its dependencies', {
        responses: { 200: json('The service accepts calls.', ready), 503: json('The service refuses calls.', ready) },
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
  'Receives a webhook of the payment provider; the signature is the credential',
  {
    parameters: [{ name: 'Stripe-Signature', in: 'header', required: true, schema: { type: 'string' } }],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' }, example: event } } },
    responses: {
      200: json('The message was processed, now or before.', { received: bool, duplicate: bool }),
      400: refTo('responses', 'ValidationError'),
      401: refTo('responses', 'UnauthorizedError'),
      default: refTo('responses', 'Failure'),
    },
  },
)
