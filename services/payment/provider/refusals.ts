import type Stripe from 'stripe'
import { ConflictError, invalid, NotFoundError, type RpcError } from '../../kernel/base/errors.ts'

/** The provider's parameters, with their names in our requests. */
const fields: Record<string, string> = { email: 'email', name: 'name', customer: 'customer_id' }

const isPrice = (param: string): boolean => /^(items|price|plan|product)\b/.test(param)

/** Whether the SDK threw this, by the name of its class, so that nothing here loads the SDK. */
export const isStripeError = (error: unknown, type?: string): error is Stripe.errors.StripeError =>
  error instanceof Error && 'type' in error && (type ? error.type === type : String(error.type).startsWith('Stripe'))

/**
 * Translates a refusal of the caller's request: 400 with the field, 404 for an unknown customer or product, 409 for
 * what the customer's payment or state forbids. Undefined for the platform's own faults (keys, parameters that callers
 * don't set) and for other errors.
 */
export function refusalOf(error: unknown): RpcError | undefined {
  if (isStripeError(error, 'StripeIdempotencyError'))
    return new ConflictError('This idempotency key was used for another request', { cause: error })
  if (isStripeError(error, 'StripeCardError')) {
    const reason = /^\w{1,60}$/.test(error.code ?? '') ? ` (${error.code})` : ''
    return new ConflictError(`The payment method of the customer was declined${reason}`, { cause: error })
  }
  if (!isStripeError(error, 'StripeInvalidRequestError')) return undefined
  const { code, param = '' } = error
  if (code === 'resource_missing') {
    if (isPrice(param)) return new NotFoundError('Product not found', { cause: error })
    if (param === 'customer') return new NotFoundError('Customer not found', { cause: error })
    // "This customer has no attached payment source" has this code, too.
    if (param === '' || param.includes('payment_method') || param.includes('source'))
      return new ConflictError('The customer has no payment method', { cause: error })
  }
  const field = isPrice(param) ? 'product_id' : fields[param]
  if (field === undefined) return undefined
  const rule = code === 'email_invalid' ? 'string.email' : 'provider'
  return invalid(field, 'was rejected by the payment provider', rule)
}
