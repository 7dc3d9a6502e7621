import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type Stripe from 'stripe'
import { CustomerService } from '../../gen/platform/payment/v1/customers_pb.ts'
import { inTransaction, isDuplicateKey } from '../kernel/database.ts'
import { ConflictError, NotFoundError } from '../kernel/errors.ts'
import { implement } from '../kernel/implement.ts'
import type { Rpc } from '../kernel/server.ts'
import { isPerson } from './callers.ts'
import { findCustomer, findCustomerOfHotel, insertCustomer, markCustomerDeleted } from './customers.sql.ts'
import { book, overNow } from './ledger.ts'
import { once, upstream, upstreamOrMissing } from './provider.ts'
import { liveSubscription } from './subscriptions.sql.ts'
import type { CustomerRow, Db } from './tables.ts'

type Places = { db: Db; stripe: Stripe }

/** Customers at the payment provider, one per hotel. */
export const customerService = ({ db, stripe }: Places): Rpc =>
  implement(CustomerService, {
    async createCustomer({ hotelId, email, name, idempotencyKey }) {
      const known = await findCustomerOfHotel(db, hotelId)
      if (known) return { customer: customerOf(known) }
      const made = await upstream(
        stripe.customers.create({ email, name, metadata: { hotelId } }, once('customer', idempotencyKey)),
      )
      const created_at = new Date(made.created * 1000)
      const row = { id: made.id, hotel_id: hotelId, live_hotel_id: hotelId, email, name, created_at, deleted_at: null }
      return { customer: customerOf(await keep({ db, stripe }, row)) }
    },

    async getCustomer({ customerId }) {
      const row = await findCustomer(db, customerId)
      if (!row) throw new NotFoundError('Customer not found')
      return { customer: customerOf(row) }
    },

    async deleteCustomer({ customerId }, context) {
      const answer = { message: 'Customer deleted', id: customerId }
      if (!(await findCustomer(db, customerId))) return answer
      // The provider cancels the subscriptions of a customer that it deletes.
      await upstreamOrMissing(stripe.customers.del(customerId))
      await inTransaction(db, async trx => {
        const live = await liveSubscription(trx, customerId)
        if (live) await book(trx, overNow(live), { tell: isPerson(context) })
        await markCustomerDeleted(trx, customerId)
      })
      return answer
    },
  })

/** Keeps a customer that was made at the provider; when another call made one for the hotel first, that one counts. */
async function keep({ db, stripe }: Places, row: CustomerRow): Promise<CustomerRow> {
  try {
    await insertCustomer(db, row)
    return row
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
  const first = await findCustomerOfHotel(db, row.hotel_id)
  if (!first) throw new ConflictError('The customer of this idempotency key was deleted')
  if (first.id !== row.id) await upstreamOrMissing(stripe.customers.del(row.id))
  return first
}

const customerOf = (row: CustomerRow) => ({
  id: row.id,
  hotelId: row.hotel_id,
  email: row.email,
  name: row.name,
  createdAt: timestampFromDate(row.created_at),
})
