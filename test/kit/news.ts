import type { RowDataPacket } from 'mysql2/promise'
import { AnalyticsService } from '../../gen/platform/news/v1/analytics_pb.ts'
import { CategoryService } from '../../gen/platform/news/v1/categories_pb.ts'
import { CommentService } from '../../gen/platform/news/v1/comments_pb.ts'
import { LikeService } from '../../gen/platform/news/v1/likes_pb.ts'
import { MustReadService } from '../../gen/platform/news/v1/must_read_pb.ts'
import { PagePreferenceService } from '../../gen/platform/news/v1/page_preferences_pb.ts'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { PinService } from '../../gen/platform/news/v1/pins_pb.ts'
import { PollService } from '../../gen/platform/news/v1/polls_pb.ts'
import { RevisionService } from '../../gen/platform/news/v1/revisions_pb.ts'
import { SyncService } from '../../gen/platform/news/v1/sync_pb.ts'
import { TemplateService } from '../../gen/platform/news/v1/templates_pb.ts'
import { ViewService } from '../../gen/platform/news/v1/views_pb.ts'
import { rightsChangedSubject } from '../../services/kernel/access/rights.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { startTestHost, suite } from './kit.ts'
import { testPool, waitsForLock } from './sql.ts'

type Envelope = {
  type: string
  workspaceId: string
  ecosystemId?: string
  workspaceName?: string
  payload: Record<string, unknown>
  channels: string[]
  metadata: { actor: { id: string; name: string; type: string }; receiverIds: string[]; occurrenceId: string }
}

/** A person of a test with typed clients that call as them. */
export type NewsPerson = Awaited<ReturnType<NewsForTest['person']>>
export type NewsForTest = Awaited<ReturnType<typeof newsForTest>>

const editorSlugs = [
  'create_content',
  'edit_content',
  'delete_content',
  'publish_content',
  'moderate_comments',
  'view_analytics',
  'send_notifications',
]

/** A suite with its own world, which ends with it. */
export async function newsSuite(name: string) {
  const test = suite(name)
  const world = await newsForTest()
  test.after(() => world.end())
  return { test, world }
}

/** The real member and news services over their own databases, with people created on demand. */
export async function newsForTest() {
  const host = await startTestHost([member, news])
  const members = testPool(host.databaseUrl('member'))
  const newsPool = testPool(host.databaseUrl('news'), { connectionLimit: 1 })
  const rows = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
    (await newsPool.query<RowDataPacket[]>(text, values))[0] as T[]

  const hotel = async (name = 'Grand Hotel'): Promise<string> => {
    const id = newId()
    const settings = JSON.stringify({ timezone: 'Europe/Paris' })
    await members.query(
      'insert into workspaces (id, name, ecosystem_id, settings, created_at, updated_at) values (?, ?, ?, ?, now(), now())',
      [id, name, newId(), settings],
    )
    return id
  }

  const person = async (workspaceId: string, permissions: string[] = [], firstName = 'Ada') => {
    const [memberId, userId] = [newId(), newId()]
    const email = `${memberId}@hotel.example`
    await members.query(
      `insert into members (id, user_id, first_name, last_name, email, live_email, created_at, updated_at)
       values (?, ?, ?, 'Lind', ?, ?, now(), now())`,
      [memberId, userId, firstName, email, email],
    )
    await members.query(
      `insert into workspace_members (member_id, workspace_id, workspace_role, permission_slugs, status, joined_at, created_at, updated_at)
       values (?, ?, 'member', ?, 'active', now(), now(), now())`,
      [memberId, workspaceId, JSON.stringify(permissions)],
    )
    const claims = { memberId, workspaceId, email }
    return {
      memberId,
      userId,
      claims,
      pages: host.as(PageService, userId, claims),
      comments: host.as(CommentService, userId, claims),
      likes: host.as(LikeService, userId, claims),
      categories: host.as(CategoryService, userId, claims),
      templates: host.as(TemplateService, userId, claims),
      pins: host.as(PinService, userId, claims),
      sync: host.as(SyncService, userId, claims),
      polls: host.as(PollService, userId, claims),
      mustReads: host.as(MustReadService, userId, claims),
      revisions: host.as(RevisionService, userId, claims),
      analytics: host.as(AnalyticsService, userId, claims),
      views: host.as(ViewService, userId, claims),
      preferences: host.as(PagePreferenceService, userId, claims),
    }
  }

  return {
    host,
    rows,
    /** Changes the member service's database directly, and publishes the change. */
    async members(text: string, values: unknown[]): Promise<void> {
      await members.query(text, values)
      host.bus.publishCore(rightsChangedSubject, JSON.stringify({ memberIds: values }))
    },
    waitsForLock: () => waitsForLock(newsPool),
    hotel,
    person,
    editor: (workspaceId: string, firstName = 'Edith') => person(workspaceId, editorSlugs, firstName),
    /** Written events of one type, oldest first. */
    async events(type: string): Promise<Envelope[]> {
      const outboxRows = await rows<{ body: string }>('select body from outbox order by position')
      return outboxRows.map(row => JSON.parse(row.body) as Envelope).filter(event => event.type === type)
    },
    async end() {
      await members.end()
      await newsPool.end()
      await host.end()
    },
  }
}

/** Waits for the next millisecond, because rows of the same one have no defined order. */
export async function laterOn(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await new Promise(resolve => setImmediate(resolve))
}

/** A small editor document. */
export const body = { blocks: [{ type: 'paragraph', data: { text: 'Bonjour' } }] }

type DatedPage = { pageId: string; workspaceId: string }

/** A time zone whose clocks show about noon. */
function noonZone(): string {
  const hoursAfterNoon = new Date().getUTCHours() - 12
  return `Etc/GMT${hoursAfterNoon < 0 ? '' : '+'}${hoursAfterNoon}`
}

/** Makes the deadline of a must-read page be that number of days ahead, and old enough for reminders. */
export async function nearDeadline(
  world: Pick<NewsForTest, 'rows' | 'members'>,
  { pageId, workspaceId }: DatedPage,
  days: number,
): Promise<void> {
  const settings = JSON.stringify({ timezone: noonZone() })
  await world.members('update workspaces set settings = ? where id = ?', [settings, workspaceId])
  await world.rows(
    `update must_reads set due_at = now(3) + interval ? hour, due_order = due_at,
       due_set_at = now(3) - interval 3 day where page_id = ?`,
    [days * 24 + 2, pageId],
  )
  await world.rows('update pages set published_at = now(3) - interval 3 day where id = ?', [pageId])
}
