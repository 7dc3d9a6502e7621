import { startRelay } from '../kernel/bus/relay.ts'
import { closeDatabase, pingDatabase } from '../kernel/database/database.ts'
import { openMigrated } from '../kernel/database/migrate.ts'
import { startRetention } from '../kernel/database/retention.ts'
import { createProvider } from '../kernel/provider/provider.ts'
import { providerSettings } from '../kernel/provider/settings.ts'
import type { ServiceModule } from '../kernel/rpc/host.ts'
import { paymentConfig } from './config.ts'
import type { Context } from './context.ts'
import { customerService } from './customers/customers.ts'
import { planService, plansOf } from './provider/plans.ts'
import { connectProvider } from './provider/provider.ts'
import { deleteOldWebhooks } from './subscriptions/subscriptions.sql.ts'
import { subscriptionService } from './subscriptions/subscriptions.ts'
import { webhookService } from './subscriptions/webhooks.ts'
import type { PaymentTables } from './tables.ts'

/** The provider redelivers a message for three days at most. */
const webhooksKeptDays = 30

/** Customers, plans and subscriptions at the payment provider. */
export const service: ServiceModule = {
  name: 'payment',
  async start({ env, log, bus, metrics: { registry } }) {
    const { databaseUrl, address, webhookSecret } = paymentConfig(env)
    const db = await openMigrated<PaymentTables>('payment', databaseUrl, log)
    const relay = startRelay(db, bus, { log })
    const calls = createProvider('payment', providerSettings(env, 'PAYMENT'), { log, registry })
    const connected = connectProvider(address, calls)
    const plans = plansOf(connected)
    const parts: Context = { db, provider: connected, plans, webhookSecret }
    const retention = startRetention(
      db,
      [
        {
          table: 'payment_webhook_events',
          days: webhooksKeptDays,
          deleteBefore: before => deleteOldWebhooks(db, before),
        },
      ],
      log,
    )
    return {
      rpcs: [customerService(parts), planService(plans), subscriptionService(parts), webhookService(parts)],
      idempotency: { db },
      ready: () => pingDatabase(db),
      async stop() {
        await retention.stop()
        await relay.stop()
        await closeDatabase(db)
      },
    }
  },
}
