import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { CallOptions } from '@connectrpc/connect'
import { toRpcError } from '../../kernel/base/errors.ts'
import { chatActiveStep } from '../chat/steps.ts'
import type { HotelDependencies } from '../context.ts'
import { findAnyHotel, writeHotel } from '../hotels.sql.ts'
import type { Saga, SagaStep } from '../sagas/saga.ts'
import { moveSubscription } from '../subscription/status.ts'
import { membersStep } from './accounts.ts'

/** Reverts a deletion; each step is retried until it succeeds. */
export const restoration = (dependencies: HotelDependencies): Saga => ({
  kind: 'restore',
  onFailure: 'retry',
  steps: [
    record,
    membersStep(dependencies, 'restored'),
    subscription(dependencies),
    chatActiveStep(dependencies, true),
  ],
})

/** Marked in the transaction that starts the run. */
const record: SagaStep = { name: 'record' }

const subscription = ({ db, callService, subscriptions }: HotelDependencies): SagaStep => ({
  name: 'payment',
  async perform({ hotelId, idempotencyKey }) {
    const hotel = await findAnyHotel(db, hotelId)
    const request = {
      customerId: hotel?.payment_customer_id ?? '',
      productId: hotel?.plan ?? 'premium',
      idempotencyKey,
    }
    if (!hotel?.payment_customer_id) return {}
    try {
      const assign = (options: CallOptions) => subscriptions.assignSubscription(request, options)
      const { subscription: now } = await callService('The payment service', assign, { passOn: true })
      const isPaid = now !== undefined && now.status !== 'inactive'
      return { isPaid, trialEndsAt: now?.trialEndsAt ? timestampDate(now.trialEndsAt).toISOString() : null }
    } catch (error) {
      // The trial is over and unpaid (409), or the customer or the plan is gone (404). The hotel comes back all the
      // same, and later provider events set its status.
      if ([404, 409].includes(toRpcError(error).info.status)) return { isPaid: false, trialEndsAt: null }
      throw error
    }
  },
  async record(trx, { hotelId, actor, state: { isPaid = true, trialEndsAt } }) {
    const trial_ends_at = trialEndsAt ? new Date(trialEndsAt) : null
    await writeHotel(trx, hotelId, { trial_ends_at })
    await moveSubscription(trx, hotelId, { status: isPaid ? 'active' : 'inactive' }, actor)
  },
})
