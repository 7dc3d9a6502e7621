import { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { SettingService } from '../../gen/platform/hotel/v1/settings_pb.ts'
import { DigestService } from '../../gen/platform/news/v1/digest_pb.ts'
import { MustReadService } from '../../gen/platform/news/v1/must_read_pb.ts'
import { rightsChangedSubject } from '../kernel/access/rights.ts'
import { cipher } from '../kernel/base/secrets.ts'
import { startConsumer } from '../kernel/bus/consume.ts'
import { startRelay } from '../kernel/bus/relay.ts'
import { closeDatabase, openDatabase, pingDatabase } from '../kernel/database/database.ts'
import { openMigrated } from '../kernel/database/migrate.ts'
import { startRetention } from '../kernel/database/retention.ts'
import { createProvider, type Provider } from '../kernel/provider/provider.ts'
import { providerSettings } from '../kernel/provider/settings.ts'
import type { ServiceModule } from '../kernel/rpc/host.ts'
import { analyticsService } from './administration/analytics.ts'
import { deadLetterService } from './administration/dead-letters.ts'
import { watchDeliveries } from './administration/metrics.ts'
import { templateService } from './administration/templates.ts'
import { type AudienceViews, memberAudience } from './audience.ts'
import { databaseClock } from './clock.ts'
import { notificationConfig, removalSubjects, webhookDurable } from './config.ts'
import type { Context } from './context.ts'
import { startDeliveries } from './delivery/deliveries.ts'
import { startDigests } from './delivery/digests.ts'
import { countSockets } from './delivery/hours.ts'
import { deliveryService } from './delivery/log.ts'
import { mailService } from './delivery/mails.ts'
import { pendingReadersFrom } from './delivery/readers.ts'
import { keptDeliveries } from './delivery/retention.ts'
import { newsReader } from './digests/news.ts'
import { erasedMembers, startErasure } from './erasure/erasure.ts'
import { exportService } from './export/data.ts'
import { notificationService } from './inbox/notifications.ts'
import { keptNotifications } from './inbox/retention.ts'
import { errorReports } from './intake/error-reports.ts'
import { countDropped, eventHandler, removalHandler } from './intake/events.ts'
import { storeInOrder } from './intake/store.ts'
import { startRecounting } from './live/recount.ts'
import { unreadAnnouncer, unreadOf } from './live/unread.ts'
import { mailComposer } from './mails/content.ts'
import { startMailLimit } from './mails/limit.ts'
import { fcmSender } from './providers/fcm.ts'
import { mailSender } from './providers/mail.ts'
import { oneSignalSender } from './providers/onesignal.ts'
import { webPushSender } from './providers/web-push.ts'
import { hotelsRead } from './settings/hotels.ts'
import { cachedPreferences } from './settings/preferences.sql.ts'
import { preferenceService } from './settings/preferences.ts'
import { pushServiceFinder } from './settings/push-services.ts'
import { subscriptionService } from './settings/subscriptions.ts'
import { type NotificationTables, tenantTables } from './tables.ts'
import { seedTemplates, templateStore } from './texts/templates.sql.ts'
import { webhookEvents } from './webhooks/intake.ts'
import { keptWebhookDeliveries } from './webhooks/retention.ts'
import { webhookService } from './webhooks/webhooks.ts'
import { countAttempts, startWebhookDeliveries } from './webhooks/worker.ts'

/** Turns events into notifications and delivers them. */
export const service: ServiceModule = {
  name: 'notification',
  async start({ env, log, bus, client, rights, metrics: { registry } }) {
    const config = notificationConfig(env)
    const settings = { ...providerSettings(env, 'NOTIFICATION'), timeoutMs: config.DELIVERY_TIMEOUT_MS }
    const callTo = (name: string) => createProvider(name, settings, { log, registry })
    const db = await openMigrated<NotificationTables>('notification', config.DATABASE_URL, log, {
      tables: tenantTables,
      poolSize: 12,
    })
    const members = openDatabase<AudienceViews>(config.MEMBER_DATABASE_URL, { poolSize: 4 })
    await seedTemplates(db)
    watchDeliveries(registry, bus, db)
    const clock = await databaseClock(db, log)

    const audience = memberAudience(members)
    const stopDropping = bus.subscribeCore(rightsChangedSubject, () => audience.evict())
    const templates = templateStore(db)
    const mails = cipher('queued-mail', config.secrets)
    const unsubscribe = cipher('unsubscribe', config.secrets)
    const hotels = hotelsRead(client(SettingService), log)
    const composer = mailComposer({ templates, unsubscribe, hotels, audience, config })
    const mailer = mailSender(config, composer, callTo('email'), log)
    const pushServiceOf = pushServiceFinder(config.pushServices)
    const pushProviders = new Map<string, Provider>()
    const callsTo = (endpoint: string): Provider => {
      const name = `webpush ${pushServiceOf(endpoint) ?? 'others'}`
      const provider = pushProviders.get(name) ?? callTo(name)
      pushProviders.set(name, provider)
      return provider
    }
    const senders = {
      onesignal: oneSignalSender(config, callTo('onesignal')),
      fcm: fcmSender(config, callTo('fcm')),
      webpush: webPushSender({
        config,
        callsTo,
        findLiveSessions: async ids => (await client(AccountService).findLiveSessions({ ids })).ids,
        countUnread: async memberIds => (await unreadOf(db, audience, memberIds)).counts,
      }),
      email: mailer.send,
    }
    const mailLimit = startMailLimit({ db, clock, perHour: config.MAIL_LIMIT_PER_HOUR, log })
    const { retryDelays, DELIVERY_POLL_MS: pollMs } = config
    const readNews = newsReader({ news: client(DigestService), audience, hotels, log })
    const pendingReaders = pendingReadersFrom(client(MustReadService), log)
    const sending = {
      db,
      audience,
      rights,
      readNews,
      pendingReaders,
      clock,
      mails,
      log,
      mailLimit,
      senders,
      retryDelays,
      pollMs,
    }
    const deliveries = startDeliveries(sending)
    const digests = startDigests({ db, audience, clock, deliveries, readNews, log, pollMs })
    const webhookParts = {
      ...{ db, audience, clock, log, mails, deliveries, rules: config.webhookRules, front: config.FRONT_BASE_URL },
      secretCipher: cipher('webhook-secret', config.secrets),
      attempts: countAttempts(registry),
      pollMs,
    }
    const webhookDeliveries = startWebhookDeliveries(webhookParts)
    const unread = unreadAnnouncer(db, audience, bus, log)
    const stopRecounting = startRecounting(bus, unread)
    const durable = config.AMQP_QUEUE_NAME
    const store = storeInOrder(db, durable)
    // Must equal the cipher with which the member service seals invitation links.
    const links = cipher('invitation-link', config.secrets)
    const preferences = cachedPreferences(db)
    const sockets = countSockets(db, log)
    const retentions = [
      keptNotifications(db, config.NOTIFICATIONS_KEPT_DAYS),
      keptDeliveries(db, config.DELIVERIES_KEPT_DAYS),
      keptWebhookDeliveries(db, config.WEBHOOK_DELIVERIES_KEPT_DAYS),
    ]
    const retention = startRetention(db, retentions, log)
    const stopErasure = startErasure({ db, audience, templates }, log)
    const context: Context = { db, bus, audience, clock }
    const intake = {
      ...context,
      log,
      sockets,
      dropped: countDropped(registry),
      templates,
      store,
      deliveries,
      unread,
      preferences,
      hotels,
      links,
      mails,
    }

    const relay = startRelay(db, bus, { log })
    const handle = eventHandler(intake)
    const consumers = config.subjects.map((subject, i) =>
      startConsumer({
        bus,
        db,
        durable: i === 0 ? durable : `${durable}_${i + 1}`,
        subject,
        prefetch: config.NOTIFICATION_PREFETCH,
        parallel: config.NOTIFICATION_PARALLEL,
        ackWait: config.NOTIFICATION_ACK_WAIT_MS,
        handle,
        log,
      }),
    )
    const change = removalHandler(intake)
    for (const [suffix, subject] of Object.entries(removalSubjects))
      consumers.push(
        // In order: of two edits the later one stays.
        startConsumer({ bus, db, log, durable: `${durable}${suffix}`, subject, inOrder: true, handle: change }),
      )
    consumers.push(
      startConsumer({ bus, db, log, durable: `${durable}_error_reports`, ...errorReports(log) }),
      startConsumer({ bus, db, log, durable: `${durable}_erased_members`, ...erasedMembers(intake) }),
      startConsumer({ bus, db, log, ...webhookEvents({ ...context, webhookDeliveries }, webhookDurable(durable)) }),
    )
    return {
      rpcs: [
        notificationService(intake),
        preferenceService({ ...context, unsubscribe, hotels }),
        subscriptionService({ ...context, pushServiceOf }),
        templateService({ ...intake, config }),
        analyticsService(context),
        deliveryService(context),
        deadLetterService(context),
        exportService(context),
        mailService({ db, templates, mails, deliveries }),
        webhookService({ ...webhookParts, webhookDeliveries }),
      ],
      idempotency: { db },
      async ready() {
        await pingDatabase(db)
      },
      async afterStart() {
        void digests.enrol()
      },
      async stop() {
        stopRecounting()
        await Promise.all(consumers.map(consumer => consumer.stop()))
        await webhookDeliveries.stop()
        await digests.stop()
        await deliveries.stop()
        await mailLimit.stop()
        await retention.stop()
        await stopErasure()
        await unread.settled()
        await sockets.stop()
        await relay.stop()
        stopDropping()
        await clock.stop()
        mailer.close()
        await closeDatabase(db)
        await closeDatabase(members)
      },
    }
  },
}
