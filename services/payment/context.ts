import type { PaymentPlans } from './provider/plans.ts'
import type { PaymentProvider } from './provider/provider.ts'
import type { PaymentDb } from './tables.ts'

/** Shared by the handlers of the payment service. */
export type Context = { db: PaymentDb; provider: PaymentProvider; plans: PaymentPlans; webhookSecret: string }
