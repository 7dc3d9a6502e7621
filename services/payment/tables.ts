import type { ColumnType, Kysely, Selectable } from 'kysely'

type CustomerTable = {
  id: string
  hotel_id: string
  live_hotel_id: string | null
  email: string
  name: string
  created_at: Date
  deleted_at: Date | null
}

type SubscriptionTable = {
  id: string
  customer_id: string
  hotel_id: string
  product_id: string
  plan: string
  status: 'active' | 'inactive' | 'trial'
  /** 1 once it has ended for good. */
  ended: number
  /** 1 while a payment is overdue that the provider still collects. */
  past_due: number
  trial_ends_at: Date | null
  current_period_ends_at: Date | null
  cancel_at_period_end: number
  cancelled_at: Date | null
  told_at: Date | null
  created_at: Date
  updated_at: Date
  noted_at: ColumnType<Date, never, never>
}

/**
 * No table is under the tenant guard: services, administrators and the provider name records by the provider's ids. The
 * one route for members checks the hotel of the customer.
 */
export type PaymentTables = {
  payment_customers: CustomerTable
  payment_subscriptions: SubscriptionTable
  payment_webhook_events: { id: string; type: string; received_at: Date }
}

export type CustomerRow = Selectable<CustomerTable>
/** Without the column that the database fills in. */
export type PaymentSubscriptionRow = Omit<Selectable<SubscriptionTable>, 'noted_at'>
/** The database, or a transaction on it. */
export type PaymentDb = Kysely<PaymentTables>
