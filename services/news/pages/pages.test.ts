import { timestampDate, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, newsSuite } from '../../../test/kit/news.ts'

const { test, world } = await newsSuite('pages')

test('a page created without a status is a draft of type article, and notifies no member', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const { page } = await editor.pages.createPage({ title: 'Spa hours', content: body, workspaceId })
  assert.is(page?.status, 'draft')
  assert.is(page?.pageType, 'article')
  assert.is(page?.publishedAt, undefined)
  assert.equal(page?.content, body)
  assert.is(page?.createdBy?.firstName, 'Edith')
  assert.ok(page?.enableComments && page.enableLikes && page.enableNotifications)
  const events = (await world.events('page.created')).filter(event => event.payload['id'] === page?.id)
  assert.is(events.length, 0)
})

test('the answer of a creation, also from a template, is what a read of the page shows', async () => {
  const workspaceId = await world.hotel()
  const { pages, categories, templates } = await world.editor(workspaceId)
  const { category } = await categories.createCategory({ workspaceId, name: 'Spa', icon: 'leaf', color: '#00aa55' })
  const parent = await pages.createPage({ title: 'Hidden', content: body, workspaceId })
  const { template } = await templates.createTemplate({ name: 'News', content: body, pageType: 'article', workspaceId })
  const fields = {
    ...{ title: 'Gala', excerpt: 'Tonight', status: 'published', enableLikes: false, enableComments: false },
    ...{ categoryId: category?.id ?? '', parentId: parent.page?.id ?? '' },
    medias: [{ fileUrl: 'https://files.example/1.jpg', thumbnailUrl: 'https://files.example/s.jpg', type: 'image' }],
  }
  const event = {
    eventStartsAt: timestampFromMs(1_800_000_000_123),
    eventEndsAt: timestampFromMs(1_800_000_100_000),
    eventLocation: 'Terrace',
  }
  for (const { page } of [
    await pages.createPage({ workspaceId, content: body, pageType: 'event', ...fields, ...event }),
    await pages.createPageFromTemplate({ templateId: template?.id ?? '', ...fields }),
    await pages.createPage({ workspaceId, title: 'Plain', content: body }),
  ])
    assert.equal(page, (await pages.getPage({ id: page?.id ?? '', withoutView: true })).page)
})

test('a blank title is refused in a new page, one from a template and an update', async () => {
  const workspaceId = await world.hotel()
  const { pages, templates } = await world.editor(workspaceId)
  const { page } = await pages.createPage({ title: ' Spa ', content: body, workspaceId })
  assert.is(page?.title, ' Spa ')
  const templateAnswer = await templates.createTemplate({
    name: 'News',
    content: body,
    pageType: 'article',
    workspaceId,
  })
  const templateId = templateAnswer.template?.id ?? ''
  for (const title of ['   ', '\n\t']) {
    const change = { id: page?.id ?? '', title, updateMask: { paths: ['title'] } }
    for (const call of [
      () => pages.createPage({ title, content: body, workspaceId }),
      () => pages.createPageFromTemplate({ templateId, title }),
      () => pages.updatePage(change),
    ]) {
      const { info } = await refusal(call())
      assert.equal([info.status, info.violations[0]?.path, info.violations[0]?.rule], [400, 'title', 'required'])
    }
  }
})

test('publishing notifies sockets, then push and socket, as one occurrence, for every member', async () => {
  const workspaceId = await world.hotel('Hotel Lutetia')
  const editor = await world.editor(workspaceId)
  const reader = await world.person(workspaceId)
  const medias = [{ fileUrl: 'https://files.example/1.jpg', type: 'image' }]
  const parent = await editor.pages.createPage({ title: 'News', content: body, workspaceId, status: 'published' })
  const { page } = await editor.pages.createPage({
    title: 'Gala',
    content: body,
    workspaceId,
    medias,
    parentId: parent.page?.id ?? '',
    pageType: 'event',
  })
  const publishAnswer = await editor.pages.publishPage({ id: page?.id ?? '' })
  assert.is(publishAnswer.status, 'published')
  assert.ok(publishAnswer.publishedAt)
  const events = (await world.events('page.created')).filter(event => event.payload['id'] === page?.id)
  assert.equal(
    events.map(event => event.channels),
    [['socket'], ['push', 'socket']],
  )
  const [first, second] = events
  assert.is(first?.metadata.occurrenceId, second?.metadata.occurrenceId)
  assert.equal(first?.payload, {
    id: page?.id,
    title: 'Gala',
    parent: { id: parent.page?.id, title: 'News', pageType: 'article' },
    medias: [{ fileUrl: 'https://files.example/1.jpg', thumbnailUrl: null, type: 'image' }],
    pageType: 'event',
  })
  assert.equal(first?.metadata.receiverIds.toSorted(), [editor.memberId, reader.memberId].toSorted())
  assert.equal(first?.metadata.actor, { id: editor.memberId, name: 'Edith Lind', type: 'member' })
  assert.is(first?.workspaceName, 'Hotel Lutetia')
})

test('a page without notifications is announced on sockets only, and a draft parent is not named', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const parent = await editor.pages.createPage({ title: 'Secret', content: body, workspaceId })
  const { page } = await editor.pages.createPage({
    title: 'Quiet',
    content: body,
    workspaceId,
    status: 'published',
    enableNotifications: false,
    parentId: parent.page?.id ?? '',
  })
  const events = (await world.events('page.created')).filter(event => event.payload['id'] === page?.id)
  assert.equal(
    events.map(event => event.channels),
    [['socket']],
  )
  assert.is(events[0]?.payload['parent'], null)
})

test('members whom a published page mentions get it once for each publication, unless it is silent or its notifications are off', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const [ada, bob] = [await world.person(workspaceId), await world.person(workspaceId)]
  const stranger = await world.person(await world.hotel())
  const mentioning = (...ids: string[]) => ({
    blocks: [{ type: 'paragraph', data: { text: ids.map(id => `<span data-member="${id}">@x</span>`).join() } }],
  })
  const mentionsOf = async (id: string) =>
    (await world.events('page.mentioned')).filter(event => event.payload['id'] === id).map(({ metadata }) => metadata)
  const content = mentioning(editor.memberId, ada.memberId, stranger.memberId)
  const { page } = await editor.pages.createPage({ title: 'Rota', content, workspaceId })
  const id = page?.id ?? ''
  assert.equal(await mentionsOf(id), [])
  const first = await editor.pages.publishPage({ id })
  const updateMask = { paths: ['content'] }
  await editor.pages.updatePage({ id, content: mentioning(bob.memberId, ada.memberId), updateMask })
  await editor.pages.updatePage({ id, content: mentioning(bob.memberId), updateMask })
  await editor.pages.unpublishPage({ id })
  const second = await editor.pages.publishPage({ id })
  const occurrences = [
    [ada, first],
    [bob, first],
    [bob, second],
  ] as const
  const mentions = await mentionsOf(id)
  assert.equal(
    mentions.map(({ receiverIds, occurrenceId }) => [receiverIds, occurrenceId]),
    occurrences.map(([{ memberId }, { publishedAt }]) => [
      [memberId],
      `@${id} ${memberId} ${publishedAt && timestampDate(publishedAt).getTime()}`,
    ]),
  )
  const fields = { title: 'Quiet', content, workspaceId, status: 'published', enableNotifications: false }
  const quiet = await editor.pages.createPage(fields)
  assert.equal(await mentionsOf(quiet.page?.id ?? ''), [])
  const draft = await editor.pages.createPage({ title: 'Silent', content, workspaceId })
  const silentId = draft.page?.id ?? ''
  await editor.pages.publishPage({ id: silentId, isSilent: true })
  assert.equal(await mentionsOf(silentId), [])
})

test('members whom a page mentions since it was archived get it once it is published again', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const [ada, bob] = [await world.person(workspaceId), await world.person(workspaceId)]
  const mentioning = (...ids: string[]) => ({
    blocks: [{ type: 'paragraph', data: { text: ids.map(id => `<span data-member="${id}">@x</span>`).join() } }],
  })
  for (const way of ['unarchive', 'update']) {
    const content = mentioning(ada.memberId)
    const { page } = await editor.pages.createPage({ title: 'Rota', content, workspaceId, status: 'published' })
    const id = page?.id ?? ''
    await editor.pages.archivePage({ id })
    const updateMask = { paths: ['content'] }
    await editor.pages.updatePage({ id, content: mentioning(ada.memberId, bob.memberId), updateMask })
    if (way === 'unarchive') await editor.pages.unarchivePage({ id })
    else await editor.pages.updatePage({ id, status: 'published', updateMask: { paths: ['status'] } })
    const mentions = (await world.events('page.mentioned')).filter(event => event.payload['id'] === id)
    const receivers = new Map(mentions.map(({ metadata }) => [metadata.occurrenceId, metadata.receiverIds.join()]))
    assert.equal([...receivers.values()], [ada.memberId, bob.memberId], way)
  }
})

test('creating requires create_content, and publishing at once also publish_content', async () => {
  const workspaceId = await world.hotel()
  const author = await world.person(workspaceId, ['create_content'])
  const reader = await world.person(workspaceId)
  const fields = { title: 'Menu', content: body, workspaceId }
  assert.is((await refusal(reader.pages.createPage(fields))).info.status, 403)
  assert.is((await refusal(author.pages.createPage({ ...fields, status: 'published' }))).info.status, 403)
  const { page } = await author.pages.createPage(fields)
  assert.is((await refusal(author.pages.publishPage({ id: page?.id ?? '' }))).info.status, 403)
})

test('content that is too large, and scripts in links are refused', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const create = (fields: object) =>
    refusal(editor.pages.createPage({ title: 'T', content: body, workspaceId, ...fields }))
  assert.is((await create({ content: { text: 'x'.repeat(1024 * 1024) } })).info.violations[0]?.path, 'content')
  const script = { blocks: [{ data: { url: ' JavaScript:alert(1)' } }] }
  assert.is((await create({ content: script })).info.violations[0]?.path, 'content.blocks[0].data.url')
  const medias = [{ fileUrl: 'ftp://files.example/1', type: 'file' }]
  assert.is((await create({ medias })).info.violations[0]?.path, 'medias[0].fileUrl')
  let deep: object = {}
  for (let i = 0; i < 101; i++) deep = { deep }
  assert.is((await create({ content: deep })).info.status, 400)
})

test('reading records a view each time and returns the caller’s interactions', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const reader = await world.person(workspaceId)
  const { page } = await editor.pages.createPage({ title: 'Read', content: body, workspaceId, status: 'published' })
  const id = page?.id ?? ''
  await reader.pages.getPage({ id })
  await reader.likes.createLike({ pageId: id, reactionType: 'love' })
  const secondAnswer = await reader.pages.getPage({ id })
  assert.is(secondAnswer.page?.viewCount, 2)
  assert.is(secondAnswer.page?.userInteractions?.hasViewed, true)
  assert.is(secondAnswer.page?.userInteractions?.hasLiked, true)
  assert.is(secondAnswer.page?.userInteractions?.reactionType, 'love')
  const counts = await Promise.all(Array.from({ length: 50 }, () => editor.pages.getPage({ id })))
  assert.is(Math.max(...counts.map(answer => answer.page?.viewCount ?? 0)), 52)
  const [viewTotal] = await world.rows('select count(*) as total from page_views where page_id = ?', [id])
  assert.is(Number(viewTotal?.['total']), 52)
  assert.equal(await reader.pages.checkPageAccess({ id }).then(answer => answer.workspaceId), workspaceId)
})

test('drafts and archived pages are visible only to their author and to editors', async () => {
  const workspaceId = await world.hotel()
  const author = await world.person(workspaceId, ['create_content'])
  const editor = await world.person(workspaceId, ['edit_content'])
  const publisher = await world.person(workspaceId, ['publish_content'])
  const reader = await world.person(workspaceId)
  const { page } = await author.pages.createPage({ title: 'Draft', content: body, workspaceId })
  const id = page?.id ?? ''
  for (const viewer of [author, editor, publisher]) {
    assert.is((await viewer.pages.getPage({ id })).page?.id, id)
    assert.is((await viewer.pages.listPages({ workspaceId })).meta?.total, 1)
    assert.is((await viewer.pages.listPages({ workspaceId, status: 'draft' })).data.length, 1)
  }
  // hidden.test.ts has what readers may not see.
  assert.equal((await reader.pages.listPages({ workspaceId })).meta?.total, 0)
})

test.run()
