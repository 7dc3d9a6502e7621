import type { Transaction } from 'kysely'
import type Stripe from 'stripe'
import { z } from 'zod'
import { WebhookService } from '../../../gen/platform/payment/v1/webhooks_pb.ts'
import { invalid, UnauthorizedError } from '../../kernel/base/errors.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { lockCustomer } from '../customers.sql.ts'
import type { PaymentProvider } from '../provider/provider.ts'
import { isStripeError } from '../provider/refusals.ts'
import type { PaymentTables } from '../tables.ts'
import { bookSubscription, customerOf, orderOfMessage, recordOf } from './ledger.ts'
import { lockSubscription, recordWebhook } from './subscriptions.sql.ts'

/** Signed messages of the payment provider; each takes effect once. */
export const webhookService = ({ db, provider, webhookSecret }: Context): Rpc =>
  implement(WebhookService, {
    async handleWebhook({ payload, signature }) {
      const event = readEvent(await provider.sdk(), payload, signature, webhookSecret)
      const isNew = await inTransaction(db, async trx => {
        if (!(await recordWebhook(trx, event.id, event.type))) return false
        const subscription = subscriptionIn(event)
        if (subscription) await applySubscription(trx, provider, event, subscription)
        return true
      })
      return { received: true, duplicate: !isNew }
    },
  })

/** Verifies the signature over the raw bytes, at most five minutes old, and parses the payload. */
function readEvent(stripe: Stripe, payload: Uint8Array, signature: string, secret: string): Stripe.Event {
  // On multi-byte characters, the library would throw an error that blames the message.
  if (!/^[ -~]+$/.test(signature)) throw new UnauthorizedError('Invalid signature')
  let event: Stripe.Event
  try {
    event = stripe.webhooks.constructEvent(Buffer.from(payload), signature, secret)
  } catch (cause) {
    if (isStripeError(cause, 'StripeSignatureVerificationError'))
      throw new UnauthorizedError('Invalid signature', { cause })
    throw invalid('payload', 'must be a message of the payment provider', 'json')
  }
  const isEvent = event?.object === 'event' && isName(event.id) && isName(event.type) && Number.isFinite(event.created)
  if (!isEvent) throw invalid('payload', 'must be a message of the payment provider', 'event')
  return event
}

/** The provider's ids are ASCII, and so is the column. */
const id = z.string().regex(/^[!-~]{1,255}$/)
const reference = z.union([id, z.object({ id })])
const price = z.object({
  product: reference,
  metadata: z.record(z.string(), z.string()),
  lookup_key: z.string().nullish(),
})
/** The fields used of a subscription; messages hold far more. */
const subscriptionShape = z.object({
  id,
  customer: reference,
  status: z.string(),
  created: z.number(),
  metadata: z.record(z.string(), z.string()),
  items: z.object({ data: z.array(z.object({ price })) }),
})

const isName = (value: unknown): boolean => typeof value === 'string' && /^[\w.]{1,255}$/.test(value)

function subscriptionIn(event: Stripe.Event): Stripe.Subscription | undefined {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
      if (!subscriptionShape.safeParse(event.data?.object).success)
        throw invalid('payload', 'must be a subscription in the format of the payment provider', 'event')
      return event.data.object
    default:
      return undefined
  }
}

/** Ignores subscriptions of unknown customers: other systems may share the provider's account. */
async function applySubscription(
  trx: Transaction<PaymentTables>,
  provider: PaymentProvider,
  event: Stripe.Event,
  subscription: Stripe.Subscription,
): Promise<void> {
  const customer = await lockCustomer(trx, customerOf(subscription))
  if (!customer) return
  const recordedRow = await lockSubscription(trx, subscription.id)
  const reportedAt = new Date(event.created * 1000)
  const record = recordOf(subscription, customer.hotel_id, reportedAt, recordedRow)
  if (!recordedRow && (record.ended || isBeingAssigned(event, subscription))) return
  await bookSubscription(trx, provider, record, orderOfMessage(reportedAt))
}

/** The call that created it records it, or cancels it when another call was first. */
const isBeingAssigned = (event: Stripe.Event, { metadata }: Stripe.Subscription): boolean =>
  event.type === 'customer.subscription.created' && metadata['hotelId'] !== undefined
