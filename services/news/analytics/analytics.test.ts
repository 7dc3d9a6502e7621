import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { assert } from '../../../test/kit/kit.ts'
import { body, newsSuite } from '../../../test/kit/news.ts'
import { connectWithPlans } from '../../../test/kit/plans.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { breakdownOf } from '../reactions/likes.sql.ts'
import { dayIn } from '../reading/view-recorder.ts'
import type { NewsTables } from '../tables.ts'
import * as statements from './sql.ts'

const { test, world } = await newsSuite('statistics of popular pages')
const { db, plansOf } = connectWithPlans<NewsTables>(world.host.databaseUrl('news'))
test.after(() => db.destroy())

const today = (): string => dayIn('Europe/Paris', new Date())
/** Counts calendar days: a step of 24 clock hours yields one date twice when the clocks change. */
const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10)

/** A published page with a million views over 1,000 days, of 2,000 members, among 2,000 other pages. */
async function popular() {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const { page } = await editor.pages.createPage({ title: 'Menu', content: body, workspaceId, status: 'published' })
  const id = page?.id ?? ''
  const members = Array.from({ length: 2_000 }, newId)
  const filled = today()
  const days = Array.from({ length: 1_000 }, (_, i) => [id, dayBefore(filled, i), workspaceId, 1_000])
  await world.rows('insert into page_days (page_id, day, workspace_id, views) values ?', [days])
  await world.rows('insert into page_viewers (page_id, member_id, workspace_id) values ?', [
    members.map(member => [id, member, workspaceId]),
  ])
  await world.rows(
    'insert into likes (id, workspace_id, page_id, member_id, reaction_type, created_at, updated_at) values ?',
    [members.map((member, i) => [newId(), workspaceId, id, member, i % 2 ? 'like' : 'wow', new Date(), new Date()])],
  )
  await world.rows('update pages set view_count = 1000000, like_count = 2000 where id = ?', [id])
  const pageRows = Array.from({ length: 2_000 }, (_, i) => {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + i)
    return [
      newId(),
      workspaceId,
      `Page ${i}`,
      'feed',
      editor.memberId,
      '[]',
      'published',
      createdAt,
      createdAt,
      createdAt,
      i % 50,
    ]
  })
  const columns =
    'id, workspace_id, title, page_type, created_by_id, medias, status, published_at, created_at, updated_at, view_count'
  await world.rows(`insert into pages (${columns}) values ?`, [pageRows])
  const dayRows = pageRows.map((page, i) => [page[0], filled, workspaceId, i % 50])
  await world.rows('insert into page_days (page_id, day, workspace_id, views) values ?', [dayRows])
  await world.host.client(PageService).recountPages({ workspaceId, repair: true })
  await world.rows('analyze table pages, page_days, page_viewers, likes')
  return { workspaceId, editor, id, filled }
}

test('a page with a million views, and its workspace, answer without reading the views table', async () => {
  const { workspaceId, editor, id, filled } = await popular()
  // Any scan of the table fails while it is renamed.
  await world.rows('rename table page_views to page_views_away')
  try {
    // After midnight, the last 365 days hold one day fewer of those that were filled.
    const lengths = [today() === filled ? 365 : 364]
    const page = await editor.analytics.getPageAnalytics({ id, days: 365 })
    lengths.push(today() === filled ? 365 : 364)
    assert.equal([page.views?.total, page.views?.unique], [1_000_000, 2_000])
    assert.ok(lengths.includes(Number(page.views?.byDay.length)), `${page.views?.byDay.length} days`)
    assert.equal(page.views?.byDay.at(-1), { ...page.views?.byDay.at(-1), date: filled, count: 1_000 })
    assert.equal(page.likes?.breakdown, { like: 1_000, wow: 1_000 })
    const workspace = await editor.analytics.getWorkspaceAnalytics({ workspaceId })
    assert.is(workspace.interactions?.views, 1_000_000 + 2_000 * 24.5)
    assert.equal([workspace.topPages.length, workspace.topPages[0]?.title], [10, 'Menu'])
  } finally {
    await world.rows('rename table page_views_away to page_views')
  }
})

test('each of their statements reads an index, and the sums of a workspace no page', async () => {
  const { workspaceId, id, filled } = await popular()
  const tenant = systemTenant(workspaceId, newId(), 'looks at plans')
  const planOf = async (run: () => Promise<unknown>) => (await plansOf(run))[0]?.[0]
  const plans = {
    viewDays: await planOf(() => statements.viewDays(db, tenant, id, dayBefore(filled, 29))),
    viewersOf: await planOf(() => statements.viewersOf(db, tenant, [id])),
    pagesByStatus: await planOf(() => statements.pagesByStatus(db, tenant)),
    interactionsOf: await planOf(() => statements.interactionsOf(db, tenant)),
    topPages: await planOf(() => statements.topPages(db, tenant)),
    topCategories: await planOf(() => statements.topCategories(db, tenant, { seesAll: false, memberId: newId() })),
  }
  assert.equal(Object.keys(plans).toSorted(), Object.keys(statements).toSorted())
  for (const [name, plan] of Object.entries(plans)) assert.not.equal(plan?.type ?? 'ALL', 'ALL', name)
  const { viewDays, viewersOf, interactionsOf, topPages } = plans
  assert.equal([viewDays?.type, viewDays?.key], ['range', 'PRIMARY'])
  assert.ok(Number(viewDays?.rows) <= 40, `${String(viewDays?.rows)} days`)
  assert.is(viewersOf?.key, 'PRIMARY')
  const reactions = await planOf(() => breakdownOf(db, tenant, id))
  assert.not.equal(reactions?.type, 'ALL')
  assert.is(interactionsOf?.key, 'pages_viewed')
  assert.match(String(interactionsOf?.Extra), 'Using index')
  assert.is(topPages?.key, 'pages_viewed')
  assert.not.match(String(topPages?.Extra), /filesort|temporary/i)
})

test.run()
