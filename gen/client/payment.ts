// Written by npm run gen from gen/openapi/payment.json; never edited.
import type { CallOptions, Routes } from '../../edge/client/call.ts'

/** Who gets what. */
export type AssignSubscriptionRequest = {
  /** Customer id at the provider. */
  customer_id: string
  /** Product id, or slug of a plan. */
  product_id: string
  /** A repeated call with the same key has one effect. */
  idempotencyKey?: string | null
}

/** Whose subscription ends. */
export type CancelSubscriptionRequest = {
  /** Customer id at the provider. */
  customer_id: string
  /** True lets it run to the end of the period; it ends at once when absent. */
  atPeriodEnd?: boolean | null
  /** A repeated call with the same key has one effect. */
  idempotencyKey?: string | null
}

/** Fields of a new customer. */
export type CreateCustomerRequest = {
  /** Hotel that pays. */
  hotelId: string
  /** E-mail address of invoices. */
  email: string
  /** Name on invoices, 1 to 120 characters. */
  name: string
  /** A repeated call with the same key has one effect. */
  idempotencyKey?: string | null
}

/** A customer as answered. */
export type Customer = {
  /** Customer id at the provider; the hotel's payment_customer_id. */
  id: string
  /** Hotel id, also in the provider's metadata. */
  hotelId: string
  /** E-mail address of invoices. */
  email: string
  /** Name on invoices. */
  name: string
  /** Creation time. */
  createdAt: string | null
}

/** Says what happened. */
export type DeleteCustomerResponse = {
  /** For a person. */
  message: string
  /** Customer id. */
  id: string
}

/** Plans. */
export type ListPlansResponse = {
  /** Plans, cheapest first. */
  data: Plan[]
  /** What part of the list this is; one page when it came whole. */
  meta: PageMeta | null
}

/** The meta part of a paginated answer (document 1, tenancy rule 6). */
export type PageMeta = {
  /** Records that match, over all pages. */
  total: number
  /** The page answered, from 1. */
  page: number
  /** Records per page, at most 100. */
  limit: number
  /** ceil(total / limit). */
  totalPages: number
}

/** A plan as answered. */
export type Plan = {
  /** Slug: premium. 1 to 64 characters of ASCII, as the payment provider holds the name. */
  slug: string
  /** Name for people. */
  name: string
  /** Product id at the provider. */
  product_id: string
  /** Price per interval in the smallest unit of the currency. */
  amount: number
  /** ISO 4217 code in small letters, as the provider writes it. */
  currency: string
  /** month or year. */
  interval: string
  /** Trial period in days; 14 for premium. */
  trialDays: number
  /** Storage quota in MO; 20000 for premium. */
  storageQuota: number
}

/** A subscription as answered. */
export type Subscription = {
  /** Subscription id at the provider. */
  id: string
  /** Customer id at the provider. */
  customer_id: string
  /** Product id. */
  product_id: string
  /** Slug of the plan. */
  plan: string
  /** active, inactive or trial. */
  status: string
  /** Hotel that pays. */
  hotelId: string | null
  /** End of the trial period; null when there is none. */
  trialEndsAt: string | null
  /** End of the period paid for. */
  currentPeriodEndsAt: string | null
  /** True when it ends with the current period. */
  cancelAtPeriodEnd: boolean
  /** Time of the cancellation; null when it was not cancelled. */
  cancelledAt: string | null
  /** Creation time. */
  createdAt: string | null
  /** Time of the last change. */
  updatedAt: string | null
}

/** An error. Programs read `error`; `message` is for people. */
export type Error = {
  statusCode: number
  error: string
  message: string
  requestId: string
}

/** Every invalid field. */
export type ValidationErrors = {
  error: FieldError[]
}

/** An invalid field: its path as the client sent it, a message for people, and the rule for programs. */
export type FieldError = {
  path: string
  message: string
  rule: string
}

/** Payment service. */
export type PaymentOperations = {
  /** Subscribes a customer to a product; the first subscription has the trial period of its plan, later ones what is left of it. A customer with a live subscription is moved to the product. NotFoundError on an unknown customer or product, ConflictError when the customer's payment method is missing or declined; 502 when the provider fails. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** service key, platform administrator */
  assignSubscription(
    input: {
      body: AssignSubscriptionRequest
    },
    options?: CallOptions,
  ): Promise<Subscription>
  /** Cancels the live subscription of a customer; nothing happens when there is none. NotFoundError on an unknown customer; 502 when the provider fails.
   *
   * **Callers:** service key, platform administrator
   *
   * Not documented elsewhere: the deletion of a hotel cancels its subscription. */
  cancelSubscription(
    input: {
      body: CancelSubscriptionRequest
    },
    options?: CallOptions,
  ): Promise<Subscription>
  /** The latest subscription of a customer. NotFoundError.
   *
   * **Callers:** person, credential, service key · **Tenant:** the record's tenant · **Permission:** `manage_ecosystem`
   *
   * Not documented elsewhere: administrators see what they pay for. */
  getSubscription(
    input: {
      /** Customer id at the provider. */
      customer_id: string
    },
    options?: CallOptions,
  ): Promise<Subscription>
  /** Creates a customer. A hotel with a customer gets that one back. ValidationError with the field that the provider refuses; 502 when it fails. With an Idempotency-Key, the same request within 24 hours returns the first result; 409 while the first is in progress, 422 for a different request with that key.
   *
   * **Callers:** service key, platform administrator
   *
   * Not documented elsewhere: assign-subscription needs a customer. */
  createCustomer(
    input: {
      body: CreateCustomerRequest
    },
    options?: CallOptions,
  ): Promise<Customer>
  /** Answers one customer. NotFoundError.
   *
   * **Callers:** service key, platform administrator
   *
   * Not documented elsewhere: operators look a customer up. */
  getCustomer(
    input: {
      /** Customer id at the provider. */
      customer_id: string
    },
    options?: CallOptions,
  ): Promise<Customer>
  /** Deletes a customer with its subscriptions, here and at the provider; undoes CreateCustomer. Nothing happens when there is none. 502 when the provider fails.
   *
   * **Callers:** service key, platform administrator
   *
   * Not documented elsewhere: an operator removes a customer. */
  deleteCustomer(
    input: {
      /** Customer id at the provider. */
      customer_id: string
    },
    options?: CallOptions,
  ): Promise<DeleteCustomerResponse>
  /** Lists the plans on offer, cheapest first. 502 when the provider fails.
   *
   * **Callers:** person, service key
   *
   * Not documented elsewhere: a hotel form offers the plans. */
  listPlans(
    input?: {
      /** Page, from 1; the list comes whole when neither page nor limit is given. */
      page?: number
      /** Entries per page, at most 100; 20 when only a page is given. */
      limit?: number
    },
    options?: CallOptions,
  ): Promise<ListPlansResponse>
}

export const paymentRoutes: Routes<PaymentOperations> = {
  assignSubscription: {
    verb: 'POST',
    path: '/sub/assign-subscription',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  cancelSubscription: {
    verb: 'POST',
    path: '/sub/cancel-subscription',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: false,
    open: false,
  },
  getSubscription: {
    verb: 'GET',
    path: '/sub/customer/{customer_id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  createCustomer: {
    verb: 'POST',
    path: '/sub/customers',
    query: [],
    body: 'json',
    answer: 'json',
    repeatable: false,
    keyed: true,
    open: false,
  },
  getCustomer: {
    verb: 'GET',
    path: '/sub/customers/{customer_id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  deleteCustomer: {
    verb: 'DELETE',
    path: '/sub/customers/{customer_id}',
    query: [],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
  listPlans: {
    verb: 'GET',
    path: '/sub/plans',
    query: ['page', 'limit'],
    body: 'none',
    answer: 'json',
    repeatable: true,
    keyed: false,
    open: false,
  },
}
