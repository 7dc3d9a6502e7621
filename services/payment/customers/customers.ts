import { CustomerService } from '../../../gen/platform/payment/v1/customers_pb.ts'
import { ConflictError, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { inTransaction, isDuplicateKey } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import {
  findCustomer,
  findCustomerOfHotel,
  insertCustomer,
  lockCustomer,
  markCustomerDeleted,
} from '../customers.sql.ts'
import { idempotencyOptions } from '../provider/provider.ts'
import { bookSubscription, orderOfAnswer, toEnded } from '../subscriptions/ledger.ts'
import { isLive, listSubscriptions } from '../subscriptions/subscriptions.sql.ts'
import type { CustomerRow } from '../tables.ts'

type Parts = Pick<Context, 'db' | 'provider'>

/** Customers at the payment provider, one per hotel. */
export const customerService = ({ db, provider }: Parts): Rpc => {
  const { ask, askOrMissing } = provider

  async function remove(customerId: string): Promise<void> {
    // Deleting a customer also cancels its subscriptions at the provider.
    await askOrMissing('customer.delete', stripe => stripe.customers.del(customerId))
    await inTransaction(db, async trx => {
      await lockCustomer(trx, customerId)
      const live = (await listSubscriptions(trx, customerId)).filter(isLive)
      // The newest, which decides the status, ends last, so that one change is published.
      for (const subscription of live.toReversed())
        await bookSubscription(trx, provider, toEnded(subscription), orderOfAnswer(subscription))
      await markCustomerDeleted(trx, customerId)
    })
  }

  return implement(CustomerService, {
    async createCustomer({ hotelId, email, name, idempotencyKey }) {
      const existing = await findCustomerOfHotel(db, hotelId)
      if (existing) return { customer: messageFields(existing) }
      const input = { email, name, metadata: { hotelId } }
      const options = idempotencyOptions('customer', idempotencyKey)
      const createdCustomer = await ask('customer.create', stripe => stripe.customers.create(input, options))
      const created_at = new Date(createdCustomer.created * 1000)
      const row = {
        id: createdCustomer.id,
        hotel_id: hotelId,
        live_hotel_id: hotelId,
        email,
        name,
        created_at,
        deleted_at: null,
      }
      return { customer: messageFields(await storeCustomer({ db, provider }, row)) }
    },

    async getCustomer({ customerId }) {
      const row = await findCustomer(db, customerId)
      if (!row) throw new NotFoundError('Customer not found')
      return { customer: messageFields(row) }
    },

    async deleteCustomer({ customerId }) {
      if (await findCustomer(db, customerId)) await remove(customerId)
      return { message: 'Customer deleted', id: customerId }
    },

    async removeHotelCustomer({ hotelId, email }) {
      const existing = await findCustomerOfHotel(db, hotelId)
      if (existing) await remove(existing.id)
      const list = { email, limit: 100 }
      const { data } = await ask('customer.list', stripe => stripe.customers.list(list))
      const unrecordedCustomers = data.filter(
        customer => customer.metadata['hotelId'] === hotelId && customer.id !== existing?.id,
      )
      for (const { id } of unrecordedCustomers)
        await askOrMissing('customer.delete', stripe => stripe.customers.del(id))
      return { ids: [...(existing ? [existing] : []), ...unrecordedCustomers].map(customer => customer.id) }
    },
  })
}

/** Stores a customer made at the provider; if a concurrent call stored one for the hotel first, that one wins. */
async function storeCustomer({ db, provider: { askOrMissing } }: Parts, row: CustomerRow): Promise<CustomerRow> {
  try {
    await insertCustomer(db, row)
    return row
  } catch (error) {
    if (!isDuplicateKey(error)) throw error
  }
  const first = await findCustomerOfHotel(db, row.hotel_id)
  if (!first) throw new ConflictError('The customer of this idempotency key was deleted')
  if (first.id !== row.id) await askOrMissing('customer.delete', stripe => stripe.customers.del(row.id))
  return first
}
