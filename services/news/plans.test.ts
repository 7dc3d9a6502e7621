import { rpcsOfPackage } from '../../test/contract/descriptors.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { databaseWithPlans, sortsIn } from '../../test/kit/plans.ts'
import { systemTenant } from '../kernel/access/tenant.ts'
import { newId } from '../kernel/base/ids.ts'
import * as comments from './comments/sql.ts'
import { listCategories } from './editing/categories.sql.ts'
import { listPins } from './editing/pins.sql.ts'
import { listRevisions } from './editing/revisions.sql.ts'
import { listTemplates } from './editing/templates.sql.ts'
import * as exported from './export/data.sql.ts'
import { duePages } from './pages/scheduler.ts'
import * as pages from './pages/sql.ts'
import { readTree } from './pages/tree.ts'
import * as likes from './reactions/likes.sql.ts'
import { choicesOf, voteCounts } from './reactions/polls.sql.ts'
import { nearDeadlines } from './reading/deadlines.sql.ts'
import { unreadPages } from './reading/digest.sql.ts'
import * as duties from './reading/must-reads.sql.ts'
import { listPreferences } from './reading/preferences.sql.ts'
import { latestViews } from './reading/views.sql.ts'
import type { NewsTables } from './tables.ts'

const test = suite('query plans of lists')
const { db, fill, plansOf, end } = await databaseWithPlans<NewsTables>(new URL('./migrations/', import.meta.url))
test.after(end)

/** Twenty hotels with rows in every table; in ours, all rows of one page belong to the same page. */
const [workspaceId, pageId, memberId] = [newId(), newId(), newId()]
/** Wrote a fiftieth of all rows, in other hotels. */
const exportedId = newId()
const writer = (i: number, otherwise = memberId) => (i % 50 === 3 ? exportedId : otherwise)
const hotels = Array.from({ length: 20 }, (_, i) => (i === 1 ? workspaceId : newId()))
const tenant = systemTenant(workspaceId, newId(), 'looks at plans')
const slice = { page: 1, limit: 20, offset: 0 }

const count = 2_000
const timeOf = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 60_000)
const hotelOf = (i: number) => hotels[i % 20]
const isOurs = (i: number) => i % 20 === 1

const ids = Array.from({ length: count }, (_, i) => (i === 1 ? pageId : newId()))
const pageColumns = (i: number) => ({ page_id: isOurs(i) ? pageId : ids[i], workspace_id: hotelOf(i) })
await fill('pages', count, i => ({
  id: ids[i],
  workspace_id: hotelOf(i),
  title: `Page ${i}`,
  parent_id: i > 1 && isOurs(i) ? (i % 3 ? pageId : ids[i - 20]) : null,
  page_type: 'article',
  created_by_id: writer(i, i % 3 ? memberId : newId()),
  medias: '[]',
  status: i % 3 ? 'published' : 'draft',
  published_at: i % 3 ? timeOf(i) : null,
  scheduled_at: i % 30 ? null : timeOf(i),
  created_at: timeOf(i),
  updated_at: timeOf(i),
  deleted_at: i % 7 ? null : timeOf(i),
}))
await fill('page_bodies', count, i => ({ page_id: ids[i], workspace_id: hotelOf(i), content: '{}' }))
await fill('page_counters', count, i => ({
  workspace_id: hotelOf(i),
  status: 'published',
  page_type: '*',
  category_id: ids[i],
  author_id: '*',
  total: 1,
}))
const timeColumns = (i: number) => ({ created_at: timeOf(i), updated_at: timeOf(i) })
await fill('comments', count, i => ({
  id: newId(),
  ...pageColumns(i),
  member_id: writer(i),
  content: 'c',
  created_at: timeOf(i),
}))
await fill('comment_likes', count, i => ({
  comment_id: newId(),
  ...pageColumns(i),
  member_id: writer(i),
  created_at: timeOf(i),
}))
await fill('likes', count, i => ({
  id: newId(),
  ...pageColumns(i),
  member_id: writer(i, newId()),
  reaction_type: 'wow',
  ...timeColumns(i),
}))
const nameColumns = (i: number) => ({ id: newId(), workspace_id: hotelOf(i), name: `N ${(i * 7_919) % count}` })
await fill('categories', count, i => ({ ...nameColumns(i), slug: `s${i}`, sort_order: i % 9, ...timeColumns(i) }))
await fill('templates', count, i => ({ ...nameColumns(i), content: '{}', page_type: 'article', ...timeColumns(i) }))
const distinctPageColumns = (i: number) => ({ page_id: ids[i], workspace_id: hotelOf(i) })
await fill('pins', count, i => ({
  id: newId(),
  ...distinctPageColumns(i),
  pinned_by: memberId,
  sort_order: i % 9,
  ...timeColumns(i),
}))
await fill('page_preferences', count, i => ({
  ...distinctPageColumns(i),
  member_id: writer(i, isOurs(i) ? memberId : newId()),
  updated_at: timeOf(i),
}))
const textColumns = { title: 't', content: '{}', medias: '[]', changed_fields: '[]' }
await fill('page_revisions', count, i => ({
  id: newId(),
  ...pageColumns(i),
  ...textColumns,
  version: i,
  created_by_id: writer(i),
  created_at: timeOf(i),
}))
await fill('must_reads', count, i => ({ ...distinctPageColumns(i), due_order: timeOf(i), created_at: timeOf(i) }))
await fill('acknowledgements', count, i => ({
  ...pageColumns(i),
  member_id: writer(i, newId()),
  created_at: timeOf(i),
}))
await fill('page_viewers', count, i => ({ ...pageColumns(i), member_id: newId() }))
await fill('page_views', count, i => ({ id: newId(), ...pageColumns(i), member_id: writer(i), created_at: timeOf(i) }))
const vote = (i: number) => ({ member_id: writer(i, newId()), option_id: newId(), created_at: timeOf(i) })
await fill('poll_votes', count, i => ({ ...pageColumns(i), ...vote(i) }))
await fill('polls', count, i => ({ ...distinctPageColumns(i), options: '[]', updated_at: timeOf(i) }))

const editor = { seesAll: true, memberId }
const reader = { seesAll: false, memberId }
const person = { memberId: exportedId, workspaceIds: undefined }

/** Each list uses the index that serves both its predicate and its order. */
const lists: Record<string, [run: () => Promise<unknown>, key: string, rpc?: string]> = {
  'trash of an editor': [() => pages.trashedPages(db, tenant, editor, slice), 'pages_published', 'ListTrashedPages'],
  'trash of somebody else': [() => pages.trashedPages(db, tenant, reader, slice), 'pages_published'],
  'children of a page': [() => pages.childrenOf(db, tenant, pageId), 'pages_children'],
  'comments of a page': [() => comments.firstComments(db, tenant, pageId, 121), 'comments_page', 'ListComments'],
  'reactions to a page': [() => likes.reactionsOf(db, tenant, pageId, slice), 'likes_latest', 'ListLikes'],
  categories: [() => listCategories(db, tenant, reader), 'categories_order', 'ListCategories'],
  templates: [() => listTemplates(db, tenant), 'templates_name', 'ListTemplates'],
  pins: [() => listPins(db, tenant, new Date()), 'pins_order', 'ListPins'],
  preferences: [
    () => listPreferences(db, tenant, memberId, false, {}, slice),
    'page_preferences_mine',
    'ListPagePreferences',
  ],
  'revisions of a page': [() => listRevisions(db, tenant, pageId, slice), 'page_revisions_version', 'ListRevisions'],
  'views of a member': [() => latestViews(db, tenant, memberId, [pageId, newId()]), 'PRIMARY'],
  'exported pages': [() => exported.pagesBy(db, person).limit(slice.limit).execute(), 'pages_author'],
  'exported revisions': [() => exported.revisionsBy(db, person).limit(slice.limit).execute(), 'page_revisions_author'],
  'exported comments': [() => exported.commentsBy(db, person).limit(slice.limit).execute(), 'comments_author'],
  'exported reactions': [() => exported.reactionsBy(db, person).limit(slice.limit).execute(), 'likes_author'],
  'exported likes of comments': [
    () => exported.commentLikesBy(db, person).limit(slice.limit).execute(),
    'comment_likes_member',
  ],
  'exported views': [() => exported.viewsBy(db, person).limit(slice.limit).execute(), 'page_views_member'],
  'exported acknowledgements': [
    () => exported.acknowledgementsBy(db, person).limit(slice.limit).execute(),
    'acknowledgements_member',
  ],
  'exported preferences': [
    () => exported.pagePreferencesOf(db, exportedId).limit(slice.limit).execute(),
    'page_preferences_member',
  ],
  'exported answers to polls': [
    () => exported.pollAnswersOf(db, exportedId).limit(slice.limit).execute(),
    'poll_votes_member',
  ],
  'pages to acknowledge': [() => duties.openDuties(db, tenant, memberId, slice), 'must_reads_due', 'ListMustReads'],
}

/** Lists whose plans are tested elsewhere. */
const elsewhere = {
  ListPages: 'services/news/pages/list.test.ts',
  ListDigestPages: 'sorted by must-read first, within a period: below',
  ListPendingReaders: 'read whole, from the statement of who acknowledged, below',
  ListReaders: 'read whole, from the statements of who acknowledged and who has seen, below',
}

test('every list of the service is in `lists` or `elsewhere`', async () => {
  const declaredLists = (await rpcsOfPackage('platform.news.v1'))
    .map(({ name }) => name)
    .filter(name => name.startsWith('List'))
  const testedLists = new Set([...Object.values(lists).flatMap(([, , rpc]) => rpc ?? []), ...Object.keys(elsewhere)])
  assert.equal(
    declaredLists.toSorted(),
    [...testedLists].toSorted(),
    'Add a new list to `lists`, with its index, and rows of its table to `fill`.',
  )
})

for (const [name, [run, key]] of Object.entries(lists))
  test(`${name} is found and ordered by ${key}`, async () => {
    const [plan = []] = await plansOf(run)
    assert.is(plan[0]?.key, key, JSON.stringify(plan))
    assert.equal([plan.some(({ type }) => type === 'ALL'), sortsIn(plan)], [false, false], JSON.stringify(plan))
  })

/** Queries beside the lists: without an order, but never a full table scan. */
const lookups: Record<string, () => Promise<unknown>> = {
  'how much is in the trash': () => pages.countTrashed(db, tenant, editor),
  'the tree around a page': () => readTree(db, tenant, pageId, memberId, false),
  'liked comments of a page': () => comments.likedComments(db, tenant, pageId, memberId),
  'a page and who wants no comments': () => comments.findCommentedPage(db, tenant, pageId),
  'a page and who wants reactions': () => likes.findLikedPage(db, tenant, pageId),
  'reactions by type': () => likes.breakdownOf(db, tenant, pageId),
  'who acknowledged': () => duties.acknowledgementsOf(db, tenant, pageId),
  'open deadline of a page': () => duties.findOpenDuty(db, pageId),
  'deadlines that are near': () => nearDeadlines(db),
  'who has seen': () => duties.viewersOfPage(db, tenant, pageId),
  'votes of a poll': () => voteCounts(db, tenant, pageId),
  'votes of a member': () => choicesOf(db, tenant, pageId, memberId),
  'pages that are due': () => duePages(db),
  'unread pages of a digest': () =>
    unreadPages(db, { memberId, workspaceIds: [tenant.workspaceId], since: new Date(0), until: new Date() }),
}

for (const [name, run] of Object.entries(lookups))
  test(`${name} is read by an index`, async () => {
    const [plan = []] = await plansOf(run)
    assert.ok(plan.length > 0)
    // The tree sorts its intermediate result, which is no table and has no index.
    for (const { table, type } of plan)
      if (!/^<|^(up|down)$/.test(table ?? '')) assert.not.equal(type, 'ALL', JSON.stringify(plan))
  })

test.run()
