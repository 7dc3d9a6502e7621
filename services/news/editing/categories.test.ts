import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, newsSuite } from '../../../test/kit/news.ts'

const { test, world } = await newsSuite('categories, templates and pins')

async function scene() {
  const workspaceId = await world.hotel()
  return { workspaceId, editor: await world.editor(workspaceId), reader: await world.person(workspaceId) }
}

test('a category has all its fields, and a slug derived from the name and unique while it lives', async () => {
  const { workspaceId, editor } = await scene()
  const fields = { name: 'Café & Bar', description: 'Drinks', icon: '☕', color: '#112233', order: 3, workspaceId }
  const { category } = await editor.categories.createCategory(fields)
  assert.is(category?.slug, 'cafe-bar')
  assert.equal([category?.order, category?.isActive, category?.pageCount], [3, true, 0])
  assert.is(
    (await refusal(editor.categories.createCategory({ name: 'X', slug: 'cafe-bar', workspaceId }))).info.status,
    409,
  )
  await editor.categories.deleteCategory({ id: category?.id ?? '' })
  await editor.categories.createCategory({ name: 'Again', slug: 'cafe-bar', workspaceId })
})

test('categories are listed by order and name with the visible live pages', async () => {
  const { workspaceId, editor, reader } = await scene()
  const ids: string[] = []
  for (const [name, order] of [
    ['Zoo', 1],
    ['Bar', 1],
    ['Art', 2],
  ] as const)
    ids.push((await editor.categories.createCategory({ name, order, workspaceId })).category?.id ?? '')
  for (const status of ['draft', 'published'])
    await editor.pages.createPage({ title: 'P', content: body, workspaceId, status, categoryId: ids[0] ?? '' })
  for (const [viewer, pages] of [
    [editor, 2],
    [reader, 1],
  ] as const) {
    const { data } = await viewer.categories.listCategories({ workspaceId })
    assert.equal(
      data.map(one => [one.name, one.pageCount]),
      [
        ['Bar', 0],
        ['Zoo', pages],
        ['Art', 0],
      ],
    )
    assert.is((await viewer.pages.listPages({ workspaceId, categoryId: ids[0] ?? '' })).meta?.total, pages)
  }
  const analyst = await world.person(workspaceId, ['view_analytics'])
  for (const [viewer, pages] of [
    [editor, 2],
    [analyst, 1],
  ] as const) {
    const { topCategories } = await viewer.analytics.getWorkspaceAnalytics({ workspaceId })
    assert.equal(
      topCategories.map(one => [one.name, one.pageCount]),
      [['Zoo', pages]],
    )
  }
})

test('a category updates the named fields', async () => {
  const { workspaceId, editor } = await scene()
  const { category } = await editor.categories.createCategory({ name: 'Spa', icon: '🛁', workspaceId })
  const id = category?.id ?? ''
  await editor.categories.createCategory({ name: 'Gym', workspaceId })
  const { category: updatedCategory } = await editor.categories.updateCategory({
    id,
    name: 'Wellness',
    updateMask: { paths: ['name', 'icon'] },
  })
  assert.equal([updatedCategory?.name, updatedCategory?.icon, updatedCategory?.slug], ['Wellness', undefined, 'spa'])
  const slug = (value: string) => editor.categories.updateCategory({ id, slug: value, updateMask: { paths: ['slug'] } })
  assert.is((await refusal(slug('gym'))).info.status, 409)
  assert.is((await refusal(slug('No Slug'))).info.status, 400)
  assert.is((await refusal(editor.categories.updateCategory({ id, updateMask: { paths: ['name'] } }))).info.status, 400)
})

test('the pages of a deleted category remain without one, and the totals are updated', async () => {
  const { workspaceId, editor } = await scene()
  const { category } = await editor.categories.createCategory({ name: 'Old', workspaceId })
  const categoryId = category?.id ?? ''
  const { page } = await editor.pages.createPage({
    title: 'P',
    content: body,
    workspaceId,
    categoryId,
    status: 'published',
  })
  assert.is((await editor.pages.listPages({ workspaceId, categoryId })).meta?.total, 1)
  await editor.categories.deleteCategory({ id: categoryId })
  assert.is((await editor.pages.getPage({ id: page?.id ?? '' })).page?.category, undefined)
  assert.is((await editor.pages.listPages({ workspaceId, categoryId })).meta?.total, 0)
  assert.is((await editor.pages.listPages({ workspaceId })).meta?.total, 1)
})

test('a pinned page is listed first, a second pin changes order and expiry, and an expired one is ignored', async () => {
  const { workspaceId, editor, reader } = await scene()
  const create = async (title: string, status = 'published') =>
    (await editor.pages.createPage({ title, content: body, workspaceId, status })).page?.id ?? ''
  const [a, b, draft] = [await create('A'), await create('B'), await create('Draft', 'draft')]
  const { pin } = await editor.pins.createPin({ pageId: a, workspaceId, order: 2 })
  assert.equal([pin?.order, pin?.pinnedBy, pin?.page?.title, pin?.page?.isPinned], [2, editor.memberId, 'A', true])
  const expiresAt = timestampFromDate(new Date(Date.now() + 60_000))
  await editor.pins.createPin({ pageId: b, workspaceId, order: 1, expiresAt })
  await editor.pins.createPin({ pageId: draft, workspaceId })
  const secondAnswer = await editor.pins.createPin({ pageId: a, workspaceId, order: 0, expiresAt })
  assert.equal([secondAnswer.pin?.id, secondAnswer.pin?.order, secondAnswer.pin?.expiresAt], [pin?.id, 0, expiresAt])
  const titles = async () => (await reader.pins.listPins({ workspaceId })).data.map(one => one.page?.title)
  assert.equal(await titles(), ['A', 'B'])
  await world.rows('update pins set expires_at = now(3) - interval 1 second where page_id = ?', [a])
  await world.rows('update pages set pinned_until = now(3) - interval 1 second where id = ?', [a])
  assert.equal(await titles(), ['B'])
  assert.is((await reader.pages.getPage({ id: a })).page?.isPinned, false)
  assert.is((await reader.pages.getPage({ id: b })).page?.isPinned, true)
  await editor.pins.deletePin({ pageId: b })
  await editor.pins.deletePin({ pageId: b })
  assert.equal(await titles(), [])
})

test('pinning requires an expiry in the future', async () => {
  const { workspaceId, editor } = await scene()
  const { page } = await editor.pages.createPage({ title: 'A', content: body, workspaceId, status: 'published' })
  const pageId = page?.id ?? ''
  const expiresAt = timestampFromDate(new Date(Date.now() - 1000))
  assert.is((await refusal(editor.pins.createPin({ pageId, workspaceId, expiresAt }))).info.status, 400)
})

test('a page from a template copies its name, type and content, and the use is counted', async () => {
  const { workspaceId, editor, reader } = await scene()
  const stranger = await scene()
  const fields = { name: 'Soirée', description: 'Evening', pageType: 'event', content: body, workspaceId }
  const { template } = await editor.templates.createTemplate(fields)
  const templateId = template?.id ?? ''
  const plain = await editor.pages.createPageFromTemplate({ templateId })
  assert.equal([plain.page?.title, plain.page?.pageType, plain.page?.status], ['Soirée', 'event', 'draft'])
  assert.equal(plain.page?.content, body)
  const other = await editor.pages.createPageFromTemplate({
    templateId,
    title: 'Jazz',
    content: { x: 1 },
    status: 'published',
  })
  assert.equal([other.page?.title, other.page?.content, other.page?.status], ['Jazz', { x: 1 }, 'published'])
  const { data } = await reader.templates.listTemplates({ workspaceId })
  assert.equal([data[0]?.usageCount, data[0]?.name, data[0]?.content], [2, 'Soirée', body])
  const foreignRequest = { templateId, workspaceId: stranger.workspaceId }
  assert.is((await refusal(editor.pages.createPageFromTemplate(foreignRequest))).info.status, 400)
})

test('templates are updated and deleted by their hotel, and cannot be feeds', async () => {
  const { workspaceId, editor, reader } = await scene()
  const fields = { name: 'T', content: body, workspaceId }
  assert.is((await refusal(editor.templates.createTemplate({ ...fields, pageType: 'feed' }))).info.status, 400)
  const { template } = await editor.templates.createTemplate(fields)
  const id = template?.id ?? ''
  assert.is(template?.pageType, 'article')
  const updateAnswer = await editor.templates.updateTemplate({
    id,
    name: 'U',
    isActive: false,
    updateMask: { paths: ['name', 'is_active'] },
  })
  assert.equal([updateAnswer.template?.name, updateAnswer.template?.isActive], ['U', false])
  assert.is((await refusal(editor.pages.createPageFromTemplate({ templateId: id }))).info.status, 409)
  await editor.templates.deleteTemplate({ id })
  assert.is((await refusal(editor.templates.deleteTemplate({ id }))).info.status, 404)
  assert.equal((await reader.templates.listTemplates({ workspaceId })).data, [])
})

test.run()
