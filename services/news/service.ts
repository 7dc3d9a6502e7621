import { PreferenceService } from '../../gen/platform/notification/v1/preferences_pb.ts'
import { rightsChangedSubject } from '../kernel/access/rights.ts'
import { type ConsumerOptions, startConsumer } from '../kernel/bus/consume.ts'
import { startRelay } from '../kernel/bus/relay.ts'
import { closeDatabase, openDatabase, pingDatabase } from '../kernel/database/database.ts'
import { openMigrated } from '../kernel/database/migrate.ts'
import { startRetention } from '../kernel/database/retention.ts'
import type { ServiceModule } from '../kernel/rpc/host.ts'
import { analyticsService } from './analytics/analytics.ts'
import { commentService } from './comments/comments.ts'
import { newsConfig } from './config.ts'
import { type Context, type CountReached, newPageWorkspaces } from './context.ts'
import { categoryService } from './editing/categories.ts'
import { pinService } from './editing/pins.ts'
import { revisionService } from './editing/revisions.ts'
import { createPageFromTemplate, templateService } from './editing/templates.ts'
import { exportService } from './export/data.ts'
import { type DirectoryViews, memberDirectory, syncService } from './members.ts'
import { pageService } from './pages/pages.ts'
import { newScheduler } from './pages/scheduler.ts'
import { likeService } from './reactions/likes.ts'
import { pollService } from './reactions/polls.ts'
import { startDeadlineReminders } from './reading/deadlines.ts'
import { digestService } from './reading/digest.ts'
import { mustReadService } from './reading/must-reads.ts'
import { preferenceService } from './reading/preferences.ts'
import { keptViews } from './reading/retention.ts'
import { viewRecorder } from './reading/view-recorder.ts'
import { viewService } from './reading/views.ts'
import { type NewsDb, type NewsTables, tenantTables } from './tables.ts'

const services = [
  (news: Context) => pageService(news, createPageFromTemplate),
  commentService,
  likeService,
  categoryService,
  templateService,
  pinService,
  preferenceService,
  viewService,
  analyticsService,
  revisionService,
  mustReadService,
  pollService,
  syncService,
  digestService,
  exportService,
]

type NewsConsumer = Pick<ConsumerOptions<NewsTables>, 'durable' | 'subject' | 'retryDelays' | 'handle'>

const consumers: ((db: NewsDb) => NewsConsumer)[] = [
  // Each also needs a line in cli/stack/broker-permissions.ts, or the broker refuses it.
]

/** Pages, comments and reactions of workspaces, and their events. */
export const service: ServiceModule = {
  name: 'news',
  async start({ env, log, bus, client, rights, accounts }) {
    const config = newsConfig(env)
    const db = await openMigrated<NewsTables>('news', config.DATABASE_URL, log, { tables: tenantTables })
    const memberDb = openDatabase<DirectoryViews>(config.MEMBER_DATABASE_URL, { poolSize: 4 })
    const members = memberDirectory(memberDb)
    const unsubscribers = [
      bus.subscribeCore(rightsChangedSubject, () => members.evict()),
      bus.tail('platform.notification.member.>', () => members.evict()),
    ]
    const relay = startRelay(db, bus, { log })
    const retention = startRetention(db, [keptViews(db, config.VIEWS_KEPT_DAYS)], log)
    const scheduler = newScheduler({ db, members, log, rights, accounts, client })
    const reminders = startDeadlineReminders({ db, members, log })
    const runningConsumers = consumers.map(make => startConsumer({ bus, db, log, ...make(db) }))
    const countReached: CountReached = async event => {
      try {
        const { now, later } = await client(PreferenceService).countReached(event, { timeoutMs: 2_000 })
        return { reachedNow: now, reachedLater: later }
      } catch (err) {
        log.warn({ err }, 'receivers not counted')
        return undefined
      }
    }
    const news: Context = { db, members, views: viewRecorder(db), countReached, pageWorkspaces: newPageWorkspaces() }
    return {
      rpcs: services.map(rpc => rpc(news)),
      idempotency: { db },
      async ready() {
        await Promise.all([pingDatabase(db), pingDatabase(memberDb)])
      },
      async afterStart() {
        scheduler.start()
      },
      async stop() {
        for (const off of unsubscribers) off()
        await Promise.all(runningConsumers.map(one => one.stop()))
        await scheduler.stop()
        await reminders.stop()
        await retention.stop()
        await relay.stop()
        await Promise.all([closeDatabase(db), closeDatabase(memberDb)])
      },
    }
  },
}
