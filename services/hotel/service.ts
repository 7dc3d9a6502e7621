import { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { HotelService } from '../../gen/platform/hotel/v1/hotels_pb.ts'
import { MediaService } from '../../gen/platform/media/v1/media_pb.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import { HotelWorkspaceService } from '../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { CustomerService } from '../../gen/platform/payment/v1/customers_pb.ts'
import { PlanService } from '../../gen/platform/payment/v1/plans_pb.ts'
import { SubscriptionService } from '../../gen/platform/payment/v1/subscriptions_pb.ts'
import { cipher } from '../kernel/base/secrets.ts'
import { startConsumer } from '../kernel/bus/consume.ts'
import { startRelay } from '../kernel/bus/relay.ts'
import { closeDatabase, pingDatabase } from '../kernel/database/database.ts'
import { databaseGauge } from '../kernel/database/gauges.ts'
import { openMigrated } from '../kernel/database/migrate.ts'
import { storageKeysOf } from '../kernel/process/config.ts'
import { createProvider } from '../kernel/provider/provider.ts'
import { providerSettings } from '../kernel/provider/settings.ts'
import type { ServiceModule } from '../kernel/rpc/host.ts'
import { chatService } from './chat/chat.ts'
import { chatRenameStep, chatStep } from './chat/steps.ts'
import { hotelConfig } from './config.ts'
import type { Context, HotelDependencies } from './context.ts'
import { creation } from './creation/steps.ts'
import { deletion } from './deletion/delete-steps.ts'
import { startFinalDeletions } from './deletion/end.ts'
import { finalDeletion } from './deletion/end-steps.ts'
import { restoration } from './deletion/restore-steps.ts'
import { reopening, suspension } from './deletion/suspend-steps.ts'
import { hotelService } from './hotels/hotels.ts'
import { serviceCaller } from './outside/calls.ts'
import { chatProvider } from './outside/chat.ts'
import { groupService } from './references/groups.ts'
import { settingService } from './references/settings.ts'
import { typeService } from './references/types.ts'
import type { Sagas } from './sagas/leased-run.ts'
import { startRunCleanup } from './sagas/retention.ts'
import { countOpenRuns } from './sagas/runs.sql.ts'
import type { Saga } from './sagas/saga.ts'
import { setupService } from './sagas/setups.ts'
import { startSagaWorker } from './sagas/worker.ts'
import { applySubscriptionEvent, subscriptionConsumer, subscriptionSubject } from './subscription/event.ts'
import { type HotelTables, tenantTables } from './tables.ts'
import { weatherProvider } from './weather/provider.ts'
import { weatherService } from './weather/weather.ts'

/** Hotels with their groups, settings, types, chat application and weather. */
export const service: ServiceModule = {
  name: 'hotel',
  async start({ env, log, bus, client, metrics: { registry } }) {
    const config = hotelConfig(env)
    const calls = providerSettings(env, 'HOTEL')
    const callTo = (name: string) => createProvider(name, calls, { log, registry })
    const db = await openMigrated<HotelTables>('hotel', config.DATABASE_URL, log, {
      tables: tenantTables,
      poolSize: 16,
    })
    const dependencies: HotelDependencies = {
      db,
      chat: chatProvider(config, callTo('chat')),
      callService: serviceCaller(config.SETUP_ANSWER_MS),
      secrets: cipher('stored-secret', storageKeysOf(config)),
      frontUrl: config.FRONT_BASE_URL,
      accounts: client(AccountService),
      media: client(MediaService),
      members: client(HotelMemberService),
      workspaces: client(HotelWorkspaceService),
      customers: client(CustomerService),
      plans: client(PlanService),
      subscriptions: client(SubscriptionService),
    }
    const procedures = {
      creation: creation(dependencies),
      deletion: deletion(dependencies),
      restoration: restoration(dependencies),
      suspension: suspension(dependencies),
      reopening: reopening(dependencies),
      finalDeletion: finalDeletion(dependencies),
      renaming: { kind: 'rename', onFailure: 'retry', steps: [chatRenameStep(dependencies)] } satisfies Saga,
      chatCreation: { kind: 'chat', onFailure: 'undo', steps: [chatStep(dependencies)] } satisfies Saga,
    }
    const sagas: Sagas = {
      db,
      log,
      sagasByKind: new Map(Object.values(procedures).map(saga => [saga.kind, saga])),
      leaseMs: config.SETUP_LEASE_SECONDS * 1000,
      retryMs: config.SETUP_RETRY_MS,
      attempts: config.SETUP_ATTEMPTS,
      recheckMs: config.SETUP_LOOK_AGAIN_MS,
      active: new Set(),
      wake: () => worker.wake(),
    }
    const parts: Context = { dependencies, sagas, restoreDays: config.RESTORE_DAYS, ...procedures }
    const relay = startRelay(db, bus, { log })
    const worker = startSagaWorker(sagas)
    const runRetention = { keptDays: config.SETUP_KEPT_DAYS, restoreDays: config.RESTORE_DAYS }
    const { RESTORE_DAYS: restoreDays, END_LOOK_MS: pollMs } = config
    const stopFinalDeletions = startFinalDeletions({
      sagas,
      finalDeletion: procedures.finalDeletion,
      restoreDays,
      pollMs,
    })
    const runCleanup = startRunCleanup(db, runRetention, log)
    const consumer = startConsumer({
      bus,
      db,
      durable: subscriptionConsumer,
      subject: subscriptionSubject,
      // Of two changes of one subscription the later one must win.
      inOrder: true,
      handle: message => applySubscriptionEvent(db, message),
      log,
    })
    const openRuns = { name: 'hotel_setups_open', help: 'Runs that have not ended, by status', labels: ['status'] }
    databaseGauge(registry, db, openRuns, async () => {
      const counts = new Map((await countOpenRuns(db)).map(({ status, runs }) => [status, Number(runs)]))
      return (['running', 'undoing', 'parked'] as const).map(status => ({
        labels: { status },
        value: counts.get(status) ?? 0,
      }))
    })
    return {
      rpcs: [
        hotelService(parts),
        groupService({ db }),
        settingService({ db }),
        typeService({ db }),
        chatService(parts),
        weatherService(weatherProvider(config, callTo('weather')), config.WEATHER_FRESH_SECONDS),
        setupService(sagas),
      ],
      // createHotel has its own record of steps in other services, from which it repeats.
      idempotency: { db, except: [HotelService.method.createHotel] },
      ready: () => pingDatabase(db),
      async stop() {
        await runCleanup.stop()
        await stopFinalDeletions()
        await consumer.stop()
        await worker.stop()
        await relay.stop()
        await closeDatabase(db)
      },
    }
  },
}
