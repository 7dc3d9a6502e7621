import { createClient, type Transport } from '@connectrpc/connect'
import express, { type Request, type RequestHandler, Router } from 'express'
import { WebhookService } from '../../gen/platform/payment/v1/webhooks_pb.ts'
import { invalid, UnsupportedMediaTypeError } from '../../services/kernel/base/errors.ts'
import { sendError } from '../http/errors.ts'
import { requestIdFrom } from '../http/request-id.ts'
import { rpcHeaders } from './credentials.ts'
import { refuseVerb } from './handler.ts'

/** POST /webhooks/stripe: passes the raw bytes to the payment service, because their signature covers every byte. */
export function paymentWebhook(transport: Transport): Router {
  const client = createClient(WebhookService, transport)
  const router = Router()
  router.post(
    '/webhooks/stripe',
    requireSignature,
    express.raw({ type: () => true, limit: '1mb' }),
    async (request, response) => {
      const requestId = requestIdFrom(request)
      try {
        const payload = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const { received, duplicate } = await client.handleWebhook(
          { payload, signature: signatureOf(request) },
          { headers: rpcHeaders(request, requestId) },
        )
        response.json({ received, duplicate })
      } catch (error) {
        sendError(response, error, requestId)
      }
    },
  )
  router.all('/webhooks/stripe', (request, response) => refuseVerb(request, response, ['POST']))
  return router
}

const signatureOf = ({ headers }: Request): string => String(headers['stripe-signature'] ?? '')

/** Refuses messages without a signature before their body is read, and forms, which may arrive slowly. */
const requireSignature: RequestHandler = (request, _response, next) => {
  if (request.is('multipart/form-data')) return next(new UnsupportedMediaTypeError())
  next(signatureOf(request) ? undefined : invalid('Stripe-Signature', 'is required', 'required'))
}
