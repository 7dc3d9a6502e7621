// Written by npm run gen from gen/openapi/payment.json; never edited.
import type { CallOptions, ClientRoutes } from '../../edge/client/call.ts'

/** The customer and the product. */
export type AssignSubscriptionRequest = {
  /** Customer id at the provider. */
  customer_id: string
  /** Product id, or slug of a plan. */
  product_id: string
  /** Idempotency key: repeated calls with it have a single effect. */
  idempotencyKey?: string | null
}

/** The customer whose subscription to cancel. */
export type CancelSubscriptionRequest = {
  /** Customer id at the provider. */
  customer_id: string
  /** True cancels at the end of the period; immediately when absent. */
  atPeriodEnd?: boolean | null
  /** Idempotency key: repeated calls with it have a single effect. */
  idempotencyKey?: string | null
}

/** Fields of a new customer. */
export type CreateCustomerRequest = {
  /** Hotel id of the payer. */
  hotelId: string
  /** E-mail address for invoices. */
  email: string
  /** Name on invoices, 1 to 255 characters. */
  name: string
  /** Idempotency key: repeated calls with it have a single effect. */
  idempotencyKey?: string | null
}

/** A customer. */
export type Customer = {
  /** Customer id at the provider, the hotel's payment_customer_id. */
  id: string
  /** Hotel id, also stored in the provider's metadata. */
  hotelId: string
  /** E-mail address for invoices. */
  email: string
  /** Name on invoices. */
  name: string
  /** Creation time. */
  createdAt: string | null
}

/** Confirms the change. */
export type DeleteCustomerResponse = {
  /** Human-readable confirmation. */
  message: string
  /** Customer id. */
  id: string
}

/** Plans. */
export type ListPlansResponse = {
  /** Plans, cheapest first. */
  data: Plan[]
  /** Pagination; describes a single page when the whole list is returned. */
  meta: PageMeta | null
}

/** Pagination of a list. */
export type PageMeta = {
  /** Number of matching records on all pages. */
  total: number
  /** Number of this page, starting at 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** Number of pages: ceil(total / limit). */
  totalPages: number
  /** Cursor of the next page; absent on the last one, and on lists without cursors. */
  nextCursor?: string
}

/** A plan. */
export type Plan = {
  /** Slug, such as premium: 1 to 64 ASCII characters, from the payment provider. */
  slug: string
  /** Display name. */
  name: string
  /** Product id at the provider. */
  product_id: string
  /** Price per interval, in the smallest unit of the currency. */
  amount: number
  /** ISO 4217 currency code in lower case. */
  currency: string
  /** How often it is paid, as the provider says: month, year … */
  interval: string
  /** Trial period in days, such as 14. */
  trialDays: number
  /** Storage quota in MO (1,000,000 bytes), such as 20000. */
  storageQuota: number
}

/** A subscription. */
export type Subscription = {
  /** Subscription id at the provider. */
  id: string
  /** Customer id at the provider. */
  customer_id: string
  /** Product id. */
  product_id: string
  /** Slug of the plan. */
  plan: string
  /** Status. */
  status: 'active' | 'inactive' | 'trial'
  /** Hotel id of the payer. */
  hotelId: string | null
  /** End of the trial period; null for none. */
  trialEndsAt: string | null
  /** End of the paid period. */
  currentPeriodEndsAt: string | null
  /** True when it ends with the current period. */
  cancelAtPeriodEnd: boolean
  /** Time of the cancellation; null when it was not cancelled. */
  cancelledAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
  /** True while a payment is overdue and the provider still tries to collect it; the status stays active meanwhile. */
  isPastDue: boolean
}

/** An error. `error` is machine-readable, `message` human-readable. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** All invalid fields. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client wrote it, a human-readable message, a machine-readable rule. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Payment service. */
export type PaymentOperations = {
  /** Subscribes a customer to a product. The first subscription has the trial period of its plan, later ones the rest of it. A customer with a live subscription is moved to the product. NotFoundError for an unknown customer or product, ConflictError when the customer's payment method is missing or declined; 502 when the provider fails. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** service key, platform administrator */
  assignSubscription(
    input: {
      body: AssignSubscriptionRequest
    },
    options?: CallOptions,
  ): Promise<Subscription>
  /** Cancels the live subscription of a customer. Succeeds without a subscription. NotFoundError for an unknown customer; 502 when the provider fails.
   *
   * **Callers:** service key, platform administrator
   *
   * Added to the original contract: the deletion of a hotel cancels its subscription. */
  cancelSubscription(
    input: {
      body: CancelSubscriptionRequest
    },
    options?: CallOptions,
  ): Promise<Subscription>
  /** Returns a customer's newest subscription that hasn't ended, else the newest. NotFoundError for an unknown customer or one without a subscription.
   *
   * **Callers:** person, credential, service key · **Tenant:** the record's tenant · **Permission:** `manage_ecosystem`
   *
   * Added to the original contract: clients show the current subscription. */
  getSubscription(
    input: {
      /** Customer id at the provider. */
      customer_id: string
    },
    options?: CallOptions,
  ): Promise<Subscription>
  /** Creates a customer. For a hotel with a customer, returns the existing one. ValidationError with the field that the provider refuses; 502 when the provider fails. With an Idempotency-Key, repeating the request within 24 hours returns the first result; 409 while the first request is running, 422 for another request with the same key.
   *
   * **Callers:** service key, platform administrator
   *
   * Added to the original contract: assign-subscription requires a customer. */
  createCustomer(
    input: {
      body: CreateCustomerRequest
    },
    options?: CallOptions,
  ): Promise<Customer>
  /** Returns one customer. NotFoundError for an unknown customer.
   *
   * **Callers:** service key, platform administrator
   *
   * Added to the original contract: operators look a customer up. */
  getCustomer(
    input: {
      /** Customer id at the provider. */
      customer_id: string
    },
    options?: CallOptions,
  ): Promise<Customer>
  /** Deletes a customer with its subscriptions, here and at the provider. Undoes CreateCustomer. Succeeds without a customer. 502 when the provider fails.
   *
   * **Callers:** service key, platform administrator
   *
   * Added to the original contract: operators remove a customer. */
  deleteCustomer(
    input: {
      /** Customer id at the provider. */
      customer_id: string
    },
    options?: CallOptions,
  ): Promise<DeleteCustomerResponse>
  /** Lists the available plans, cheapest first. 502 when the provider fails.
   *
   * **Callers:** person, service key
   *
   * Added to the original contract: forms for new hotels offer the plans. */
  listPlans(
    input?: {
      /** Page number, starting at 1. The whole list is returned when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPlansResponse>
}

export const paymentRoutes: ClientRoutes<PaymentOperations> = {
  assignSubscription: {
    verb: 'POST',
    path: '/sub/assign-subscription',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  cancelSubscription: {
    verb: 'POST',
    path: '/sub/cancel-subscription',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: false,
    open: false,
  },
  getSubscription: {
    verb: 'GET',
    path: '/sub/customer/{customer_id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  createCustomer: {
    verb: 'POST',
    path: '/sub/customers',
    query: [],
    body: 'json',
    answer: 'json',
    isRepeatable: false,
    keyed: true,
    open: false,
  },
  getCustomer: {
    verb: 'GET',
    path: '/sub/customers/{customer_id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  deleteCustomer: {
    verb: 'DELETE',
    path: '/sub/customers/{customer_id}',
    query: [],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
  listPlans: {
    verb: 'GET',
    path: '/sub/plans',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    isRepeatable: true,
    keyed: false,
    open: false,
  },
}
