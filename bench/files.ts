import { type Profiler, Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { NotificationService } from '../gen/platform/notification/v1/notifications_pb.ts'
import { PreferenceService } from '../gen/platform/notification/v1/preferences_pb.ts'
import { newsForTest } from '../test/kit/news.ts'
import { notificationsForTest, pageCreated } from '../test/kit/notification/notification.ts'
import { withServers } from './support/world.ts'

type Call = { name: string; service: 'news' | 'notification'; run(): Promise<unknown> }

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs of a call, the first of which isn't counted: nothing may be first use. */
const runs = 4

/** The files of its service in which each run of a call runs a function; work in the background hits only some runs. */
async function filesOf(session: Session, call: Call): Promise<string[]> {
  await call.run()
  let files: string[] | undefined
  for (let i = 1; i < runs; i++) {
    const found = await filesOfOne(session, call)
    files = files?.filter(file => found.includes(file)) ?? found
  }
  return files ?? []
}

async function filesOfOne(session: Session, { service, run }: Call): Promise<string[]> {
  // Work that the call before left behind, such as a frame of counts, is over by then.
  await sleep(1_000)
  await session.post('Profiler.takePreciseCoverage')
  await run()
  const { result } = (await session.post('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType
  const folder = `services/${service}/`
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url).slice(root.length) : url))
    .filter(path => path.startsWith(folder) && path !== `${folder}service.ts`)
    .map(path => path.slice(folder.length))
    .toSorted()
}

async function newsCalls(): Promise<{ calls: Call[]; end(): Promise<void> }> {
  const world = await newsForTest()
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const content = { blocks: [{ type: 'paragraph', data: { text: 'The spa closes at nine.' } }] }
  const create = async (status = 'draft') =>
    (await editor.pages.createPage({ workspaceId, title: 'The spa closes at nine', content, status })).page?.id ?? ''
  const several = (status: string) => Promise.all(Array.from({ length: runs }, () => create(status)))
  const [id, drafts] = [await create('published'), await several('draft')]
  // A second reaction to the same page would change nothing.
  const unliked = await several('published')
  const calls: Omit<Call, 'service'>[] = [
    { name: 'list pages', run: () => editor.pages.listPages({ workspaceId }) },
    { name: 'read a page, with its view', run: () => editor.pages.getPage({ id }) },
    { name: 'create a page', run: () => create() },
    { name: 'publish a page', run: () => editor.pages.publishPage({ id: drafts.pop() ?? '' }) },
    { name: 'comment', run: () => editor.comments.createComment({ pageId: id, content: 'Thank you.' }) },
    { name: 'react', run: () => editor.likes.createLike({ pageId: unliked.pop() ?? '', reactionType: 'love' }) },
  ]
  return { calls: calls.map(call => ({ ...call, service: 'news' })), end: world.end }
}

async function notificationCalls(): Promise<{ calls: Call[]; end(): Promise<void> }> {
  const world = await notificationsForTest()
  const ada = await world.person()
  const bo = await world.person()
  const workspaceId = await world.workspace(ada, bo)
  const claims = { memberId: ada.id, workspaceId }
  const notifications = world.host.as(NotificationService, ada.userId, claims)
  const preferences = world.host.as(PreferenceService, ada.userId, claims)
  for (let i = 0; i < runs; i++)
    await world.done(await world.publish('page.created', pageCreated(workspaceId, bo, [ada])))
  const unread = (await notifications.listNotifications({})).data.map(({ id }) => id)
  const calls: Omit<Call, 'service'>[] = [
    { name: 'list the inbox', run: () => notifications.listNotifications({}) },
    { name: 'count the unread', run: () => notifications.getUnreadCount({}) },
    { name: 'mark one read', run: () => notifications.markRead({ id: unread.pop() ?? '' }) },
    { name: 'read preferences', run: () => preferences.getPreferences({}) },
  ]
  return { calls: calls.map(call => ({ ...call, service: 'notification' })), end: world.end }
}

/** How many files of its service each of the ten most used calls runs through, `service.ts` apart. */
export const benchFiles = (): Promise<string> =>
  withServers(async () => {
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    const lines: string[] = []
    for (const start of [newsCalls, notificationCalls]) {
      const { calls, end } = await start()
      for (const call of calls) {
        const files = await filesOf(session, call)
        lines.push(`| ${call.name} | ${files.length} | ${files.join(', ')} |`)
      }
      await end()
    }
    session.disconnect()
    return ['| call | files of its service | |\n|-|-|-|', ...lines].join('\n')
  })
