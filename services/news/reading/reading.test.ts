import { SyncService } from '../../../gen/platform/news/v1/sync_pb.ts'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, laterOn, newsSuite } from '../../../test/kit/news.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { deleteExpired } from '../../kernel/database/retention.ts'
import { type NewsTables, tenantTables } from '../tables.ts'
import { keptViews } from './retention.ts'
import { dayIn } from './view-recorder.ts'

const { test, world } = await newsSuite('preferences, views, statistics and synchronisation')

async function scene() {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const ben = await world.person(workspaceId, [], 'Ben')
  const { page } = await editor.pages.createPage({ title: 'Brunch', content: body, workspaceId, status: 'published' })
  return { workspaceId, editor, ben, pageId: page?.id ?? '' }
}

test('preferences have defaults, change by name, and null restores a default', async () => {
  const { ben, pageId } = await scene()
  const { preference: initial } = await ben.preferences.getPagePreference({ pageId })
  assert.equal([initial?.isFavorite, initial?.notifyOnComment, initial?.notifyOnLike], [false, true, false])
  assert.is(initial?.updatedAt, undefined)
  const paths = ['is_favorite', 'notify_on_comment']
  const fields = { pageId, isFavorite: true, notifyOnComment: false }
  const { preference } = await ben.preferences.updatePagePreference({ ...fields, updateMask: { paths } })
  assert.equal([preference?.isFavorite, preference?.notifyOnComment, preference?.isBookmarked], [true, false, false])
  const { page } = await ben.pages.getPage({ id: pageId })
  assert.equal([page?.userInteractions?.isFavorite, page?.userInteractions?.isBookmarked], [true, false])
  const { preference: reset } = await ben.preferences.updatePagePreference({ pageId, updateMask: { paths } })
  assert.equal([reset?.isFavorite, reset?.notifyOnComment], [false, true])
})

test('favourites are listed latest first with their pages, without deleted ones', async () => {
  const { workspaceId, editor, ben, pageId } = await scene()
  const { page } = await editor.pages.createPage({ title: 'Second', content: body, workspaceId, status: 'published' })
  const ids = [pageId, page?.id ?? '']
  for (const id of ids) {
    await laterOn()
    await ben.preferences.updatePagePreference({ pageId: id, isFavorite: true, updateMask: { paths: ['is_favorite'] } })
  }
  const titles = async (fields: object) => {
    const { data, meta } = await ben.preferences.listPagePreferences({ workspaceId, ...fields })
    assert.is(meta?.total, data.length)
    return data.map(one => one.page?.title)
  }
  assert.equal(await titles({ isFavorite: true }), ['Second', 'Brunch'])
  assert.equal(await titles({ isBookmarked: true }), [])
  await editor.pages.deletePage({ id: ids[1] ?? '' })
  assert.equal(await titles({}), ['Brunch'])
})

test('an author who disabled reactions is not notified, and a follower who enabled them is', async () => {
  const { editor, ben, pageId } = await scene()
  const cleo = await world.person(editor.claims.workspaceId, [], 'Cleo')
  const paths = ['notify_on_like']
  await editor.preferences.updatePagePreference({ pageId, notifyOnLike: false, updateMask: { paths } })
  await ben.preferences.updatePagePreference({ pageId, notifyOnLike: true, updateMask: { paths } })
  await world.host.client(SyncService).syncMembers({ workspaceId: editor.claims.workspaceId })
  await cleo.likes.createLike({ pageId })
  const [event] = (await world.events('like.created')).filter(one => one.payload['pageId'] === pageId)
  assert.equal(event?.metadata.receiverIds, [ben.memberId])
})

test('a client sets the duration of its latest view, and the average follows', async () => {
  const { editor, ben, pageId } = await scene()
  const paths = ['duration', 'device_type']
  const updateView = (duration: number) =>
    ben.views.updateView({ pageId, duration, deviceType: 'mobile', updateMask: { paths } })
  assert.is((await refusal(updateView(5))).info.status, 404)
  await ben.pages.getPage({ id: pageId }, { headers: { 'user-agent': 'test' } })
  await updateView(10)
  const { view } = await updateView(20)
  assert.equal([view?.duration, view?.deviceType, view?.memberId], [20, 'mobile', ben.memberId])
  await laterOn()
  await ben.pages.getPage({ id: pageId })
  await updateView(40)
  const { engagement } = await editor.analytics.getPageAnalytics({ id: pageId })
  assert.is(engagement?.averageReadTime, 30)
  assert.is((await refusal(updateView(-1))).info.status, 400)
})

test('an editor opens a page without recording a view, and its author counts as no reader', async () => {
  const { editor, ben, pageId } = await scene()
  const figures = async () => {
    const { views, engagement } = await editor.analytics.getPageAnalytics({ id: pageId })
    return [views?.total, views?.unique, engagement?.rate]
  }
  for (const viewer of [editor, ben]) {
    const { page } = await viewer.pages.getPage({ id: pageId, withoutView: true })
    assert.equal([page?.viewCount, page?.userInteractions?.hasViewed], [0, false])
  }
  assert.equal(await figures(), [0, 0, 0])
  assert.is((await editor.pages.getPage({ id: pageId })).page?.viewCount, 1)
  assert.equal(await figures(), [1, 0, 0])
  assert.is((await ben.pages.getPage({ id: pageId })).page?.viewCount, 2)
  await ben.likes.createLike({ pageId })
  assert.equal(await figures(), [2, 1, 1])
  await editor.mustReads.setMustRead({ pageId })
  const { data } = await editor.mustReads.listReaders({ pageId })
  assert.not(data.some(({ member }) => member?.id === editor.memberId))
  assert.ok(data.some(({ member, hasViewed }) => member?.id === ben.memberId && hasViewed))
})

test('statistics of a page count views, viewers, days, reactions and comments', async () => {
  const { editor, ben, pageId } = await scene()
  const today = () => dayIn('Europe/Paris', new Date())
  const days = [today()]
  for (const viewer of [ben, ben, editor]) await viewer.pages.getPage({ id: pageId })
  days.push(today())
  await ben.likes.createLike({ pageId, reactionType: 'wow' })
  await ben.comments.createComment({ pageId, content: 'Yes' })
  await ben.comments.createComment({ pageId, content: 'Really' })
  await world.rows('insert into page_days (page_id, day, workspace_id, views) values (?, ?, ?, 9)', [
    pageId,
    '2020-01-01',
    editor.claims.workspaceId,
  ])
  const stats = await editor.analytics.getPageAnalytics({ id: pageId })
  assert.equal([stats.views?.total, stats.views?.unique], [3, 1])
  // All on one day, unless the test ran across midnight in Paris.
  const viewsByDay = stats.views?.byDay ?? []
  assert.ok(viewsByDay.every(({ date }) => days.includes(date)))
  assert.is(
    viewsByDay.reduce((sum, { count }) => sum + count, 0),
    3,
  )
  assert.equal([stats.likes?.total, stats.likes?.breakdown, stats.comments?.total], [1, { wow: 1 }, 2])
  assert.equal([stats.engagement?.rate, stats.engagement?.averageReadTime], [3, 0])
})

test('statistics of a workspace sum up its pages and list the most viewed ones and the fullest categories', async () => {
  const { workspaceId, editor, ben, pageId } = await scene()
  const { category } = await editor.categories.createCategory({ name: 'Events', workspaceId })
  await editor.categories.createCategory({ name: 'Empty', workspaceId })
  await editor.pages.createPage({ title: 'Draft', content: body, workspaceId, categoryId: category?.id ?? '' })
  await ben.pages.getPage({ id: pageId })
  await ben.likes.createLike({ pageId })
  const stats = await editor.analytics.getWorkspaceAnalytics({ workspaceId })
  assert.equal([stats.pages?.total, stats.pages?.published, stats.pages?.drafts], [2, 1, 1])
  assert.equal([stats.interactions?.views, stats.interactions?.likes, stats.interactions?.comments], [1, 1, 0])
  assert.equal(
    stats.topPages.map(page => [page.title, page.views, page.engagement]),
    [['Brunch', 1, 1]],
  )
  assert.equal(
    stats.topCategories.map(one => [one.name, one.pageCount]),
    [['Events', 1]],
  )
})

test('a synchronisation reloads the members of a workspace', async () => {
  const { workspaceId, editor } = await scene()
  const before = await editor.sync.syncMembers({ workspaceId })
  await world.person(workspaceId, [], 'New')
  const after = await world.host.client(SyncService).syncMembers({ workspaceId })
  assert.equal([before.membersCount, after.membersCount, after.workspaceId], [2, 3, workspaceId])
  assert.ok(after.syncedAt)
})

test('a day uses the time zone', () => {
  const time = new Date('2026-03-01T23:30:00Z')
  assert.is(dayIn('Europe/Paris', time), '2026-03-02')
  assert.is(dayIn('America/New_York', time), '2026-03-01')
})

test('views older than VIEWS_KEPT_DAYS are deleted; their count and who has seen the page stay', async () => {
  const { ben, pageId: id } = await scene()
  for (let i = 0; i < 3; i++) await ben.pages.getPage({ id })
  const views = () => world.rows('select id from page_views where page_id = ? order by id', [id])
  const [old] = await views()
  const longAgo = Math.floor(Date.now() / 1000 - 31 * 86_400).toString(16)
  await world.rows('update page_views set id = ? where id = ?', [longAgo + String(old?.['id']).slice(8), old?.['id']])

  const db = openDatabase<NewsTables>(world.host.databaseUrl('news'), { tables: tenantTables })
  await deleteExpired(db, [keptViews(db, 0)])
  assert.is((await views()).length, 3)
  await deleteExpired(db, [keptViews(db, 30)])
  await closeDatabase(db)
  assert.is((await views()).length, 2)
  const { page } = await ben.pages.getPage({ id })
  assert.is(page?.viewCount, 4)
  assert.is((await world.rows('select 1 from page_viewers where page_id = ?', [id])).length, 1)
  const [noted] = await world.rows("select deleted_rows from cleanings where table_name = 'page_views'")
  assert.is(Number(noted?.['deleted_rows']), 1)
})

test.run()
