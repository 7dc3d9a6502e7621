import type { Connection } from 'mysql2/promise'
import { addressOf, createHotel, newWorld, signIn, takeUpInvitation, type World } from '../../cli/tour/world.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { searchText } from '../../services/member/hotel-memberships/copy.ts'
import { type Platform, startPlatform } from '../../test/kit/platform/platform.ts'
import { withOwnServers, withServers as withSharedServers } from '../../test/kit/platform/servers.ts'
import { isSmallest } from './size.ts'

const quiet = (platform: Platform): World => newWorld({ ...platform, report: () => undefined })

export type Seeded = { workspaceId: string; hotelId: string; token: string; email: string; memberIds: string[] }

/** A hotel with a signed-in administrator, `people` members and the requested number of published pages. */
export async function seed(platform: Platform, people: number, pages: number): Promise<Seeded> {
  const world = quiet(platform)
  world.tokens.root = await signIn(world, world.administrator.email, world.administrator.password)
  const email = addressOf(world, 'ada')
  const hotel = await createHotel(world, `Bench ${world.run}`, email)
  const token = await takeUpInvitation(world, email)
  const [workspaceId, hotelId] = [hotel['workspace'] as string, hotel['id'] as string]
  const memberIds = await addPeople(platform, workspaceId, people)
  if (pages > 0) await addPages(platform, workspaceId, memberIds, pages)
  return { workspaceId, hotelId, token, email, memberIds }
}

async function connected<T>(url: string | undefined, run: (db: Connection) => Promise<T>): Promise<T> {
  const db = await connectDatabase(url ?? '', { timezone: 'Z' })
  try {
    return await run(db)
  } finally {
    await db.end()
  }
}

const chunks = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

function addPeople(platform: Platform, workspaceId: string, count: number): Promise<string[]> {
  return connected(platform.env['MEMBER_DATABASE_URL'], async db => {
    const ids = Array.from({ length: count }, () => newId())
    for (const part of chunks(ids, 500)) {
      const members = part.map(id => [
        id,
        'Member',
        `Number ${id.slice(-4)}`,
        `${id}@bench.example`,
        `${id}@bench.example`,
      ])
      await db.query('insert into members (id, first_name, last_name, email, live_email) values ?', [members])
      const memberships = members.map(([id = '', first_name = '', last_name = '', email = '']) => [
        ...[workspaceId, id, 'member', '[]', last_name, first_name],
        searchText({ first_name, last_name, email }),
      ])
      const columns = 'workspace_id, member_id, workspace_role, permission_slugs, sort_last, sort_first, search_text'
      await db.query(`insert into workspace_members (${columns}) values ?`, [memberships])
    }
    await db.query('update workspaces set members_count = members_count + ? where id = ?', [count, workspaceId])
    await db.query('analyze table members, workspace_members')
    return ids
  })
}

function addPages(platform: Platform, workspaceId: string, authors: string[], count: number): Promise<void> {
  return connected(platform.env['NEWS_DATABASE_URL'], async db => {
    const start = Date.UTC(2026, 0, 1)
    const categories = Array.from({ length: 12 }, (_, index) => [
      newId(),
      workspaceId,
      `Category ${index}`,
      `category-${index}`,
      `category-${index}`,
      '🏨',
      index,
      new Date(start),
      new Date(start),
    ])
    await db.query(
      'insert into categories (id, workspace_id, name, slug, live_slug, icon, sort_order, created_at, updated_at) values ?',
      [categories],
    )
    const pages = Array.from({ length: count }, (_, index) => {
      const publishedAt = new Date(start + index * 61_000)
      const medias =
        '[{"fileUrl":"https://media.example/1.jpg","thumbnailUrl":"https://media.example/1-t.jpg","type":"image"}]'
      return [
        newId(),
        workspaceId,
        `Weekly news number ${index}`,
        'The spa closes at nine tonight for maintenance.',
        'article',
        categories[index % 12]?.[0],
        authors[(index * 7) % authors.length],
        medias,
        'published',
        publishedAt,
        publishedAt,
        publishedAt,
      ]
    })
    for (const part of chunks(pages, 1000))
      await db.query(
        'insert into pages (id, workspace_id, title, excerpt, page_type, category_id, created_by_id, medias, status, published_at, created_at, updated_at) values ?',
        [part],
      )
    await countPages(db, workspaceId)
    await db.query('analyze table pages, categories, page_counters')
  })
}

/** Updates the kept totals after the direct inserts. */
async function countPages(db: Connection, workspaceId: string): Promise<void> {
  const countStatement = (type: string, category: string, group: string) => `
    insert into page_counters (workspace_id, page_type, category_id, author_id, status, total)
    select workspace_id, ${type}, ${category}, '*', status, count(*) from pages
    where workspace_id = ? and deleted_at is null group by workspace_id, status${group}
    on duplicate key update total = values(total)`
  await db.query(countStatement("'*'", "'*'", ''), [workspaceId])
  await db.query(countStatement('page_type', "'*'", ', page_type'), [workspaceId])
  await db.query(countStatement("'*'", 'category_id', ', category_id'), [workspaceId])
  await db.query(countStatement('page_type', 'category_id', ', page_type, category_id'), [workspaceId])
}

/** A separate database server for a measurement; the smallest form, whose figures mean nothing, uses the trials'. */
const withServers = isSmallest ? withSharedServers : withOwnServers

export { startPlatform, withOwnServers, withServers }
