import { fromBinary, toBinary } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { GetPageHierarchyResponseSchema, type PageNode, PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, laterOn, newsSuite } from '../../../test/kit/news.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world } = await newsSuite('changes of pages')
const workspaceId = await world.hotel()
const editor = await world.editor(workspaceId)

const create = async (fields: object = {}): Promise<string> => {
  const { page } = await editor.pages.createPage({ title: 'Page', content: body, workspaceId, ...fields })
  return page?.id ?? ''
}

const update = (id: string, fields: object, pages: Client<typeof PageService> = editor.pages, headers = {}) => {
  const paths = Object.keys(fields).map(key => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))
  return pages.updatePage({ id, ...fields, updateMask: { paths } }, { headers })
}

const eventsOf = async (type: string, id: string) =>
  (await world.events(type)).filter(event => event.payload['id'] === id)

test('a change of a published page notifies the members on sockets what changed, except for the content', async () => {
  const id = await create({ status: 'published' })
  const { page } = await update(id, { title: 'New', content: { blocks: [] }, enableLikes: false })
  assert.is(page?.title, 'New')
  assert.equal(page?.content, { blocks: [] })
  assert.is(page?.enableLikes, false)
  assert.is(page?.version, 2)
  assert.is(page?.updatedById, editor.memberId)
  const [event, secondEvent] = await eventsOf('page.updated', id)
  assert.is(secondEvent, undefined)
  assert.equal(event?.channels, ['socket'])
  assert.equal(event?.payload['changes'], { title: 'New', enableLikes: false, content: true })
  assert.ok(event?.metadata.receiverIds.includes(editor.memberId))
})

test('a change and the deletion of a draft are published for its author and editors, without receivers', async () => {
  const id = await create()
  await update(id, { title: 'Other', content: { blocks: [] } })
  await update(id, { status: 'archived' })
  await editor.pages.unarchivePage({ id })
  await editor.pages.deletePage({ id })
  await editor.pages.restorePage({ id })
  const events = [...(await eventsOf('page.updated', id)), ...(await eventsOf('page.deleted', id))]
  const commonFields = { id, title: 'Other', pageType: 'article', editorsOnly: true }
  assert.equal(
    events.map(event => event.payload),
    [
      { ...commonFields, changes: { title: 'Other', content: true } },
      { ...commonFields, changes: { status: 'archived' } },
      { ...commonFields, changes: { status: 'draft' } },
      { ...commonFields, changes: { status: 'draft' } },
      commonFields,
    ],
  )
  for (const { channels, metadata } of events) assert.equal([channels, metadata.receiverIds], [['socket'], []])
})

test('a change without effect publishes nothing', async () => {
  const id = await create()
  const { page } = await update(id, { title: 'Page', content: body })
  assert.is(page?.version, 1)
  assert.equal(await eventsOf('page.updated', id), [])
})

test('null clears a field or restores its default, and a title cannot be cleared', async () => {
  const id = await create({ excerpt: 'Short', pageType: 'event', enableComments: false })
  const { page } = await update(id, { excerpt: undefined, pageType: undefined, enableComments: undefined })
  assert.is(page?.excerpt, undefined)
  assert.is(page?.pageType, 'article')
  assert.is(page?.enableComments, true)
  assert.is((await refusal(update(id, { title: undefined }))).info.violations[0]?.path, 'title')
  assert.is((await refusal(update(id, { content: undefined }))).info.violations[0]?.path, 'content')
  assert.is((await refusal(update(id, { status: undefined }))).info.violations[0]?.path, 'status')
})

test('changing requires edit_content, and a status that publishes or unpublishes also publish_content', async () => {
  const editorOnly = await world.person(workspaceId, ['edit_content'])
  const reader = await world.person(workspaceId)
  const [draft, live] = [await create(), await create({ status: 'published' })]
  assert.is((await refusal(update(draft, { title: 'X' }, reader.pages))).info.status, 403)
  assert.is((await refusal(update(draft, { status: 'published' }, editorOnly.pages))).info.status, 403)
  assert.is((await refusal(update(live, { status: 'draft' }, editorOnly.pages))).info.status, 403)
  assert.is((await update(live, { status: 'archived' }, editorOnly.pages)).page?.status, 'archived')
})

test('status published in a change behaves as publish', async () => {
  const id = await create()
  const { page } = await update(id, { status: 'published', title: 'Out' })
  assert.ok(page?.publishedAt)
  const events = await eventsOf('page.created', id)
  assert.equal(
    events.map(event => [event.channels.length, event.payload['title']]),
    [
      [1, 'Out'],
      [2, 'Out'],
    ],
  )
  assert.equal(await eventsOf('page.updated', id), [])
})

test('a page turned into a draft hides its new text from earlier readers', async () => {
  const id = await create({ title: 'Old title', status: 'published' })
  await update(id, { status: 'draft', title: 'Not for readers' })
  const [event] = await eventsOf('page.updated', id)
  assert.equal(event?.payload['changes'], { status: 'draft' })
  assert.is(event?.payload['title'], 'Old title')
})

test('If-Match accepts a change of the current version only', async () => {
  const id = await create()
  let tag: string | null = ''
  await editor.pages.getPage({ id }, { onHeader: headers => (tag = headers.get('etag')) })
  assert.is(tag, '"1"')
  await update(id, { title: 'Second' }, editor.pages, { 'if-match': '"1"' })
  assert.is((await refusal(update(id, { title: 'Third' }, editor.pages, { 'if-match': '"1"' }))).info.status, 412)
  await update(id, { title: 'Third' }, editor.pages, { 'if-match': 'W/"2"' })
  await update(id, { title: 'Fourth' }, editor.pages, { 'if-match': '*' })
  const [old, current] = ['"3"', '"4"'].map(value => ({ headers: { 'if-match': value } }))
  for (const call of [editor.pages.publishPage, editor.pages.archivePage, editor.pages.deletePage])
    assert.is((await refusal(call({ id }, old))).info.status, 412)
  let next: string | null = ''
  await editor.pages.publishPage({ id }, { ...current, onHeader: headers => (next = headers.get('etag')) })
  assert.is(next, '"5"')
  const onHeader = (headers: Headers) => (next = headers.get('etag'))
  await editor.pages.deletePage({ id }, { headers: { 'if-match': next }, onHeader })
  assert.is((await refusal(editor.pages.restorePage({ id }, current))).info.status, 412)
  await editor.pages.restorePage({ id }, { headers: { 'if-match': next } })
})

test('a page cannot be moved under itself or its descendants, not even by two simultaneous moves', async () => {
  const a = await create()
  const b = await create({ parentId: a })
  const c = await create({ parentId: b })
  for (const parentId of [a, b, c])
    assert.is((await refusal(update(a, { parentId }))).info.violations[0]?.path, 'parentId')
  const [x, y] = [await create(), await create()]
  const results = await Promise.allSettled([update(x, { parentId: y }), update(y, { parentId: x })])
  assert.is(results.filter(result => result.status === 'fulfilled').length, 1)
})

test('an event cannot end before it starts', async () => {
  const timeAt = (hour: number) => timestampFromDate(new Date(Date.UTC(2030, 1, 1, hour)))
  const error = await refusal(create({ pageType: 'event', eventStartsAt: timeAt(10), eventEndsAt: timeAt(9) }))
  assert.is(error.info.violations[0]?.path, 'eventEndsAt')
  const id = await create({ pageType: 'event', eventStartsAt: timeAt(10), eventEndsAt: timeAt(11) })
  assert.is((await refusal(update(id, { eventStartsAt: timeAt(12) }))).info.status, 400)
})

test('deleting hides a page, moves its children to the root and publishes the deletion', async () => {
  const id = await create({ status: 'published', title: 'Gone' })
  const child = await create({ parentId: id, status: 'published' })
  await editor.pins.createPin({ pageId: id, workspaceId })
  assert.is((await editor.pages.deletePage({ id })).id, id)
  assert.is((await refusal(editor.pages.getPage({ id }))).info.status, 404)
  assert.is((await refusal(editor.pages.deletePage({ id }))).info.status, 404)
  assert.is((await editor.pages.getPage({ id: child })).page?.parent, undefined)
  const [event] = await eventsOf('page.deleted', id)
  assert.equal(event?.payload, { id, title: 'Gone', pageType: 'article', editorsOnly: false })
  assert.equal(event?.channels, ['socket'])
})

test('a deleted page is in the trash, and restoring it brings it back unchanged', async () => {
  const id = await create({ status: 'published', title: 'Back again' })
  assert.is((await refusal(editor.pages.restorePage({ id }))).info.status, 409)
  await laterOn()
  await editor.pages.deletePage({ id })
  const trash = await editor.pages.listTrashedPages({ workspaceId })
  assert.is(trash.data[0]?.id, id)
  assert.is(trash.data[0]?.status, 'published')
  const reader = await world.person(workspaceId)
  const { page } = await editor.pages.restorePage({ id })
  assert.is(page?.status, 'published')
  assert.is((await reader.pages.getPage({ id })).page?.title, 'Back again')
})

test('publish and schedule accept drafts only, and each other transition its own state', async () => {
  const id = await create()
  const in1h = timestampFromDate(new Date(Date.now() + 3_600_000))
  const scheduledPage = await editor.pages.schedulePage({ id, scheduledAt: in1h })
  assert.is(scheduledPage.status, 'draft')
  assert.ok(scheduledPage.scheduledAt)
  assert.is((await editor.pages.unschedulePage({ id })).scheduledAt, undefined)
  await editor.pages.schedulePage({ id, scheduledAt: in1h })
  await editor.pages.publishPage({ id })
  assert.is((await editor.pages.getPage({ id })).page?.scheduledAt, undefined)
  assert.is((await refusal(editor.pages.publishPage({ id }))).info.status, 409)
  assert.is((await refusal(editor.pages.schedulePage({ id, scheduledAt: in1h }))).info.status, 409)
  assert.is((await refusal(editor.pages.schedulePage({ id }))).info.status, 400)
  assert.is((await refusal(editor.pages.unarchivePage({ id }))).info.status, 409)
  assert.is((await editor.pages.archivePage({ id })).status, 'archived')
  assert.is((await refusal(editor.pages.archivePage({ id }))).info.status, 409)
  assert.is((await editor.pages.unarchivePage({ id })).status, 'published')
  assert.is((await editor.pages.unpublishPage({ id })).status, 'draft')
  assert.is((await refusal(editor.pages.unpublishPage({ id }))).info.status, 409)
  assert.is((await editor.pages.archivePage({ id })).status, 'archived')
  assert.is((await editor.pages.unarchivePage({ id })).status, 'draft')
  const changes = (await eventsOf('page.updated', id)).map(({ payload }) => [
    Object(payload['changes']).status,
    payload['editorsOnly'],
  ])
  // Readers who lose or regain sight of the page get an event.
  const [forAll, forEditors] = [false, true]
  assert.equal(changes, [
    ['archived', forAll],
    ['published', forAll],
    ['draft', forAll],
    ['archived', forEditors],
    ['draft', forEditors],
  ])
})

const depthOf = (nodes: PageNode[]): number => (nodes[0] ? 1 + depthOf(nodes[0].children) : 0)

test('the hierarchy contains the path from the root and all levels below, without drafts of others', async () => {
  const reader = await world.person(workspaceId)
  const root = await create({ status: 'published', title: 'Root' })
  const hiddenId = await create({ parentId: root, title: 'Hidden' })
  const page = await create({ parentId: hiddenId, status: 'published', title: 'Page' })
  let above = page
  for (let level = 1; level <= 12; level++)
    above = await create({ parentId: above, status: 'published', title: `L${level}` })
  const hierarchy = await reader.pages.getPageHierarchy({ id: page })
  assert.equal(
    hierarchy.breadcrumb.map(one => one.title),
    ['Root', 'Page'],
  )
  assert.is(depthOf(hierarchy.children), 12)
  assert.equal((await reader.pages.getPageHierarchy({ id: root })).children, [])
  const all = await editor.pages.getPageHierarchy({ id: root })
  assert.equal(
    all.children.map(one => [one.title, one.status]),
    [['Hidden', 'draft']],
  )
})

test("somebody else's draft can't be a parent, and answers as an unknown page does", async () => {
  const writer = await world.person(workspaceId, ['create_content'])
  const hiddenId = await create({ title: 'Hidden' })
  const answer = await writer.pages.createPage({ workspaceId, title: 'Own', content: { blocks: [] } })
  const id = answer.page?.id ?? ''
  for (const parentId of [hiddenId, newId()])
    for (const call of [
      () => writer.pages.createPage({ workspaceId, title: 'Below', content: { blocks: [] }, parentId }),
      () => writer.pages.updatePage({ id, parentId, updateMask: { paths: ['parent_id'] } }),
    ]) {
      const { info, rawMessage } = await refusal(call())
      assert.equal([info.status, rawMessage], [404, 'Parent page not found'])
    }
})

test('restoring or moving a page never makes a tree of more than 100 levels', async () => {
  const chain = Array.from({ length: 99 }, () => newId())
  const rows = chain.map((id, index) => [id, workspaceId, `L${index + 1}`, chain[index - 1] ?? null, editor.memberId])
  await world.rows(
    `insert into pages (id, workspace_id, title, parent_id, created_by_id, page_type, medias, status, created_at, updated_at)
     values ${rows.map(() => "(?, ?, ?, ?, ?, 'article', '[]', 'draft', now(), now())").join(', ')}`,
    rows.flat(),
  )
  const above = await create({ title: 'Above' })
  const leaf = await create({ title: 'Leaf', parentId: above })
  const levelOf = async (id: string) => (await editor.pages.getPageHierarchy({ id })).breadcrumb.length
  await editor.pages.deletePage({ id: leaf })
  await update(above, { parentId: chain[98] })
  assert.is(await levelOf(above), 100)
  // The deepest tree is answered whole, and clients can decode it.
  const tree = await editor.pages.getPageHierarchy({ id: chain[0] ?? '' })
  const onTheWire = toBinary(GetPageHierarchyResponseSchema, tree)
  assert.is(depthOf(fromBinary(GetPageHierarchyResponseSchema, onTheWire).children), 99)
  const tooDeep = await refusal(editor.pages.restorePage({ id: leaf }))
  assert.equal(
    [tooDeep.info.status, tooDeep.rawMessage],
    [409, 'Its parent page is at level 100, the deepest allowed: move that page first'],
  )
  assert.is((await refusal(create({ parentId: above }))).info.violations[0]?.rule, 'page.depth')
  await update(above, { parentId: chain[97] })
  await editor.pages.restorePage({ id: leaf })
  assert.is(await levelOf(leaf), 100)
  const error = await refusal(update(above, { parentId: chain[98] }))
  assert.equal([error.info.status, error.info.violations[0]?.rule], [400, 'page.depth'])
  assert.is(await levelOf(leaf), 100)
})

test.run()
