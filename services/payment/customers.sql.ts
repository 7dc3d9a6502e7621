import type { Transaction } from 'kysely'
import type { CustomerRow, PaymentDb, PaymentTables } from './tables.ts'

const livingCustomers = (db: PaymentDb) =>
  db.selectFrom('payment_customers').selectAll().where('deleted_at', 'is', null)

export const findCustomer = (db: PaymentDb, id: string): Promise<CustomerRow | undefined> =>
  livingCustomers(db).where('id', '=', id).executeTakeFirst()

export const findCustomerOfHotel = (db: PaymentDb, hotelId: string): Promise<CustomerRow | undefined> =>
  livingCustomers(db).where('live_hotel_id', '=', hotelId).executeTakeFirst()

/** Locks a customer, so that decisions about its subscriptions are serialised. */
export const lockCustomer = (trx: Transaction<PaymentTables>, id: string): Promise<CustomerRow | undefined> =>
  livingCustomers(trx).where('id', '=', id).forUpdate().executeTakeFirst()

export async function insertCustomer(db: PaymentDb, customer: CustomerRow): Promise<void> {
  await db.insertInto('payment_customers').values(customer).execute()
}

export async function markCustomerDeleted(trx: Transaction<PaymentTables>, id: string): Promise<void> {
  await trx
    .updateTable('payment_customers')
    .set({ deleted_at: new Date(), live_hotel_id: null })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .execute()
}
