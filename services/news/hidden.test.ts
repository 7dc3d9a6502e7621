import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { assert, refusal, suite } from '../../test/kit/kit.ts'
import { body, type NewsForTest, newsForTest, type Person } from '../../test/kit/news.ts'

const test = suite('pages hidden from readers')
let world: NewsForTest
let editor: Person
let reader: Person
let workspaceId: string

test.before(async () => {
  world = await newsForTest()
  workspaceId = await world.hotel()
  editor = await world.editor(workspaceId)
  reader = await world.person(workspaceId, [], 'Ben')
})
test.after(() => world.end())

const secret = 'Merger with the Ritz'

/** Ways to hide a published page that its readers have reacted to in every way. */
const ways: Record<string, (id: string) => Promise<unknown>> = {
  unpublished: id => editor.pages.unpublishPage({ id }),
  'unpublished by a change': id => editor.pages.updatePage({ id, status: 'draft', updateMask: { paths: ['status'] } }),
  archived: id => editor.pages.archivePage({ id }),
  scheduled: async id => {
    await editor.pages.unpublishPage({ id })
    await editor.pages.schedulePage({ id, scheduledAt: timestampFromDate(new Date(Date.now() + 3_600_000)) })
  },
  deleted: id => editor.pages.deletePage({ id }),
}

const create = async (title: string, fields: object = {}) =>
  (await editor.pages.createPage({ title, content: body, workspaceId, status: 'published', ...fields })).page?.id ?? ''

for (const [name, hide] of Object.entries(ways))
  test(`a page that is ${name} is shown to no reader by any route, and accepts nothing from them`, async () => {
    const parentId = await create('Above')
    const { category } = await editor.categories.createCategory({ name: `C ${name}`, workspaceId })
    const id = await create('Open', { parentId, categoryId: category?.id ?? '', pageType: 'poll' })
    const childId = await create('Below', { parentId: id })
    const { comment } = await reader.comments.createComment({ pageId: id, content: 'First' })
    const commentId = comment?.id ?? ''
    const { poll } = await editor.polls.setPoll({ pageId: id, options: ['a', 'b'] })
    const optionIds = poll?.options.map(option => option.id).slice(0, 1) ?? []
    await reader.likes.createLike({ pageId: id })
    await reader.pages.getPage({ id })
    const favorite = { pageId: id, isFavorite: true, updateMask: { paths: ['is_favorite'] } }
    await reader.preferences.updatePagePreference(favorite)
    await editor.pins.createPin({ pageId: id, workspaceId })
    await editor.mustReads.setMustRead({ pageId: id })
    await hide(id)
    if (name !== 'deleted')
      await editor.pages.updatePage({ id, title: secret, excerpt: secret, updateMask: { paths: ['title', 'excerpt'] } })

    const refused = [
      reader.pages.getPage({ id }),
      reader.pages.getPageHierarchy({ id }),
      reader.pages.checkPageAccess({ id }),
      reader.comments.listComments({ pageId: id }),
      reader.comments.createComment({ pageId: id, content: 'x' }),
      reader.comments.updateComment({ id: commentId, content: 'x', updateMask: { paths: ['content'] } }),
      reader.comments.deleteComment({ id: commentId }),
      reader.comments.likeComment({ id: commentId }),
      reader.comments.unlikeComment({ id: commentId }),
      reader.likes.createLike({ pageId: id }),
      reader.likes.deleteLike({ pageId: id }),
      reader.likes.listLikes({ pageId: id }),
      reader.preferences.getPagePreference({ pageId: id }),
      reader.preferences.updatePagePreference(favorite),
      reader.views.updateView({ pageId: id, duration: 1, updateMask: { paths: ['duration'] } }),
      reader.polls.getPoll({ pageId: id }),
      reader.polls.vote({ pageId: id, optionIds }),
      reader.polls.removeVote({ pageId: id }),
      reader.mustReads.acknowledgePage({ pageId: id }),
    ]
    for (const error of await Promise.all(refused.map(call => refusal(call)))) assert.is(error.info.status, 404)

    const shown = [
      await reader.pages.listPages({ workspaceId, limit: 100 }),
      await reader.pages.listPages({ workspaceId, categoryId: category?.id ?? '', sortBy: 'viewCount' }),
      await reader.pages.listPages({ workspaceId, search: secret.slice(3) }),
      await reader.pages.listPages({ workspaceId, search: 'Open' }),
      await reader.pages.getPage({ id: parentId }),
      await reader.pages.getPage({ id: childId }),
      await reader.pages.getPageHierarchy({ id: parentId }),
      await reader.pages.getPageHierarchy({ id: childId }),
      await reader.preferences.listPagePreferences({ workspaceId }),
      await reader.pins.listPins({ workspaceId }),
      await reader.mustReads.listMustReads({ workspaceId }),
      (await reader.categories.listCategories({ workspaceId })).data.filter(
        one => one.id === category?.id && one.pageCount,
      ),
    ]
    for (const [at, answer] of shown.entries()) {
      const text = JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      assert.not.ok(
        text.includes(id) || text.includes(secret) || text.includes('"Open"'),
        `${at}: ${text.slice(0, 300)}`,
      )
    }
    assert.equal(shown[11], [])
    const told = JSON.stringify((await world.rows('select body from outbox')).map(row => row['body']))
    assert.not.ok(told.includes(secret))
  })

test('reactions and comments on an unpublished page reach only its author', async () => {
  const id = await create('Draft', { status: 'draft' })
  const colleague = await world.editor(workspaceId, 'Otto')
  await reader.preferences.listPagePreferences({ workspaceId })
  await colleague.comments.createComment({ pageId: id, content: 'Looks good' })
  await colleague.likes.createLike({ pageId: id })
  for (const type of ['comment.created', 'like.created'])
    for (const event of (await world.events(type)).filter(one => one.payload['pageId'] === id))
      assert.equal(event.metadata.receiverIds, [editor.memberId])
})

test.run()
