import type { PaymentPlans } from './provider/plans.ts'
import type { PaymentProvider } from './provider/provider.ts'
import type { Db } from './tables.ts'

/** Shared by the handlers of the payment service. */
export type Context = { db: Db; provider: PaymentProvider; plans: PaymentPlans; webhookSecret: string }
