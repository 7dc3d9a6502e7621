import { startRelay } from '../kernel/bus/relay.ts'
import { closeDatabase, openDatabase, pingDatabase } from '../kernel/database/database.ts'
import { migrate } from '../kernel/database/migrate.ts'
import { repeatEvery } from '../kernel/process/repeat.ts'
import { provider } from '../kernel/provider/provider.ts'
import { providerSettings } from '../kernel/provider/settings.ts'
import type { ServiceModule } from '../kernel/rpc/host.ts'
import { paymentConfig } from './config.ts'
import type { Context } from './context.ts'
import { customerService } from './customers/customers.ts'
import { planService, plansOf } from './provider/plans.ts'
import { connectProvider } from './provider/provider.ts'
import { forgetWebhooks } from './subscriptions/subscriptions.sql.ts'
import { subscriptionService } from './subscriptions/subscriptions.ts'
import { webhookService } from './subscriptions/webhooks.ts'
import type { Tables } from './tables.ts'

const hourMs = 3_600_000
/** The provider redelivers a message for three days at most. */
const webhooksKeptMs = 30 * 24 * hourMs

/** Customers, plans and subscriptions at the payment provider. */
export const service: ServiceModule = {
  name: 'payment',
  async start({ env, log, bus, metrics: { registry } }) {
    const { databaseUrl, address, webhookSecret } = paymentConfig(env)
    await migrate(databaseUrl, new URL('./migrations/', import.meta.url))
    const db = openDatabase<Tables>(databaseUrl)
    const relay = startRelay(db, bus, { log })
    const calls = provider('payment', providerSettings(env, 'PAYMENT'), { log, registry })
    const connected = connectProvider(address, calls)
    const plans = plansOf(connected)
    const parts: Context = { db, provider: connected, plans, webhookSecret }
    const tidying = repeatEvery(
      hourMs,
      () => forgetWebhooks(db, new Date(Date.now() - webhooksKeptMs)),
      error => log.warn({ err: error }, 'old webhook messages not deleted; retrying'),
    )
    return {
      rpcs: [customerService(parts), planService(plans), subscriptionService(parts), webhookService(parts)],
      repeatable: { db },
      ready: () => pingDatabase(db),
      async stop() {
        await tidying.stop()
        await relay.stop()
        await closeDatabase(db)
      },
    }
  },
}
