import Stripe from 'stripe'
import { ConflictError, invalid, NotFoundError, type PlatformError } from '../../kernel/base/errors.ts'

/** The provider's parameters, and what our requests call them. */
const fields: Record<string, string> = { email: 'email', name: 'name', customer: 'customer_id' }

const isPrice = (param: string): boolean => /^(items|price|plan|product)\b/.test(param)

/**
 * A refusal of the provider that concerns what the caller asked for, in our words: 400 with the field, 404 for an unknown
 * customer or product, 409 for what the customer's payment or state forbids. Undefined for what is the platform's own
 * fault (keys, parameters that callers do not set) or none at all.
 */
export function refusalOf(error: unknown): PlatformError | undefined {
  const { errors } = Stripe
  if (error instanceof errors.StripeIdempotencyError)
    return new ConflictError('This idempotency key was used for another request', { cause: error })
  if (error instanceof errors.StripeCardError) {
    const reason = /^\w{1,60}$/.test(error.code ?? '') ? ` (${error.code})` : ''
    return new ConflictError(`The payment method of the customer was declined${reason}`, { cause: error })
  }
  if (!(error instanceof errors.StripeInvalidRequestError)) return undefined
  const { code, param = '' } = error
  if (code === 'resource_missing') {
    if (isPrice(param)) return new NotFoundError('Product not found', { cause: error })
    if (param === 'customer') return new NotFoundError('Customer not found', { cause: error })
    // "This customer has no attached payment source" comes under this code, too.
    if (param === '' || param.includes('payment_method') || param.includes('source'))
      return new ConflictError('The customer has no payment method', { cause: error })
  }
  const field = isPrice(param) ? 'product_id' : fields[param]
  if (field === undefined) return undefined
  const rule = code === 'email_invalid' ? 'string.email' : 'provider'
  return invalid(field, 'is refused by the payment provider', rule)
}
