import type { Plans } from './provider/plans.ts'
import type { PaymentProvider } from './provider/provider.ts'
import type { Db } from './tables.ts'

/** What the handlers are made of. */
export type Context = { db: Db; provider: PaymentProvider; plans: Plans; webhookSecret: string }
