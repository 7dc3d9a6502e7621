import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, laterOn, type NewsPerson, newsSuite } from '../../../test/kit/news.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world } = await newsSuite('what a person has not read yet')

/** A hotel with five published pages, the last one first, and a draft. */
async function scene() {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const [ben, cleo] = [await world.person(workspaceId, [], 'Ben'), await world.person(workspaceId, [], 'Cleo')]
  const { category } = await editor.categories.createCategory({ name: 'Spa', workspaceId })
  const ids: string[] = []
  for (const [title, categoryId] of [['Menü'], ['Bath', category?.id], ['Pool', category?.id], ['Roster'], ['Menu']]) {
    await laterOn()
    const fields = categoryId === undefined ? {} : { categoryId }
    const answer = await editor.pages.createPage({
      title: title ?? '',
      content: body,
      workspaceId,
      status: 'published',
      ...fields,
    })
    ids.unshift(answer.page?.id ?? '')
  }
  await editor.pages.createPage({ title: 'Draft', content: body, workspaceId })
  return { workspaceId, editor, ben, cleo, ids, categoryId: category?.id ?? '' }
}

const unread = async (reader: NewsPerson, workspaceId: string, fields: object = {}) => {
  const { data, meta } = await reader.pages.listPages({ workspaceId, unread: true, status: 'published', ...fields })
  assert.is(meta?.total, data.length, 'the total is exact')
  return data.map(page => page.title)
}

test('the viewed ones among given pages are listed in the order of the request, each with its latest view', async () => {
  const { workspaceId, ben, cleo, ids } = await scene()
  const [first = '', second = '', third = ''] = ids
  const request = { workspaceId, pageId: [third, first, newId(), second, third] }
  assert.equal((await ben.views.getViews(request)).data, [])
  await ben.pages.getPage({ id: first })
  await ben.pages.getPage({ id: third })
  const { data: before } = await ben.views.getViews(request)
  assert.equal(
    before.map(one => one.pageId),
    [third, first],
  )
  await laterOn()
  await ben.pages.getPage({ id: first })
  const { data: after } = await ben.views.getViews(request)
  const millis = (time?: { seconds: bigint; nanos: number }) =>
    Number(time?.seconds) * 1e3 + Math.floor((time?.nanos ?? 0) / 1e6)
  assert.ok(millis(after[1]?.lastViewedAt) > millis(before[1]?.lastViewedAt))
  assert.equal(after[0], before[0])
  assert.equal((await cleo.views.getViews(request)).data, [], 'views of others are theirs')
})

test('views are asked for by 1 to 100 ids in a workspace of one’s own', async () => {
  const { workspaceId, ben, ids } = await scene()
  const stranger = await scene()
  const many = (count: number) => Array.from({ length: count }, () => newId())
  assert.equal((await ben.views.getViews({ workspaceId, pageId: many(100) })).data, [])
  for (const pageId of [[], many(101), ['nonsense']])
    assert.is((await refusal(ben.views.getViews({ workspaceId, pageId }))).info.status, 400)
  assert.is((await refusal(stranger.ben.views.getViews({ workspaceId, pageId: ids }))).info.status, 403)
  await stranger.ben.pages.getPage({ id: stranger.ids[0] ?? '' })
  assert.equal((await ben.views.getViews({ workspaceId, pageId: stranger.ids })).data, [])
})

test('unread pages come in the order of the list, with exact totals under every other filter', async () => {
  const { workspaceId, ben, cleo, ids, categoryId } = await scene()
  assert.equal(await unread(ben, workspaceId), ['Menu', 'Roster', 'Pool', 'Bath', 'Menü'])
  await ben.pages.getPage({ id: ids[0] ?? '' })
  await ben.pages.getPage({ id: ids[2] ?? '' })
  assert.equal(await unread(ben, workspaceId), ['Roster', 'Bath', 'Menü'])
  assert.equal(await unread(ben, workspaceId, { sortOrder: 'asc' }), ['Menü', 'Bath', 'Roster'])
  assert.equal(await unread(ben, workspaceId, { categoryId }), ['Bath'])
  assert.equal(await unread(ben, workspaceId, { search: 'MENU' }), ['Menü'])
  assert.equal(await unread(ben, workspaceId, { search: '\u0301' }), ['Roster', 'Bath', 'Menü'])
  assert.equal(await unread(cleo, workspaceId, { search: 'menu' }), ['Menu', 'Menü'])
  const second = await ben.pages.listPages({ workspaceId, unread: true, page: 2, limit: 2 })
  assert.equal([second.data.map(page => page.title), second.meta?.total], [['Menü'], 3])
  const beyond = await ben.pages.listPages({ workspaceId, unread: true, page: 9, limit: 2 })
  assert.equal([beyond.data, beyond.meta?.total], [[], 3])
  const { meta } = await ben.pages.listPages({ workspaceId, unread: false })
  assert.is(meta?.total, 5, 'false lists all')
})

test('people who ask at the same moment get what each of them has not read', async () => {
  const { workspaceId, editor, ben, cleo, ids } = await scene()
  for (const id of ids) await ben.pages.getPage({ id })
  const all = { workspaceId, status: 'published' }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => [ben, cleo, editor])
      .flat()
      .flatMap(reader => [reader.pages.listPages({ ...all, unread: true }), reader.pages.listPages(all)]),
  )
  assert.equal(
    answers.map(({ data }) => data.length),
    Array.from({ length: 5 }, () => [0, 5, 5, 5, 5, 5]).flat(),
  )
})

test.run()
