import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { rpcsOfPackage } from '../../test/contract/descriptors.ts'
import { assert, refusal } from '../../test/kit/kit.ts'
import { body, newsSuite } from '../../test/kit/news.ts'
import { accessOf, takesPeople } from '../kernel/access/access.ts'

const { test, world } = await newsSuite('pages hidden from readers')
const workspaceId = await world.hotel()
const editor = await world.editor(workspaceId)
const reader = await world.person(workspaceId, [], 'Ben')

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

type Scene = {
  id: string
  parentId: string
  childId: string
  categoryId: string
  commentId: string
  optionIds: string[]
}
const favorite = { isFavorite: true, updateMask: { paths: ['is_favorite'] } }

/** What readers ask for a page by its id or one of its records, by RPC. */
const refused: Record<string, (scene: Scene) => Promise<unknown>> = {
  GetPage: ({ id }) => reader.pages.getPage({ id }),
  GetPageHierarchy: ({ id }) => reader.pages.getPageHierarchy({ id }),
  CheckPageAccess: ({ id }) => reader.pages.checkPageAccess({ id }),
  ListComments: ({ id }) => reader.comments.listComments({ pageId: id }),
  CreateComment: ({ id }) => reader.comments.createComment({ pageId: id, content: 'x' }),
  UpdateComment: ({ commentId }) =>
    reader.comments.updateComment({ id: commentId, content: 'x', updateMask: { paths: ['content'] } }),
  DeleteComment: ({ commentId }) => reader.comments.deleteComment({ id: commentId }),
  LikeComment: ({ commentId }) => reader.comments.likeComment({ id: commentId }),
  UnlikeComment: ({ commentId }) => reader.comments.unlikeComment({ id: commentId }),
  CreateLike: ({ id }) => reader.likes.createLike({ pageId: id }),
  DeleteLike: ({ id }) => reader.likes.deleteLike({ pageId: id }),
  ListLikes: ({ id }) => reader.likes.listLikes({ pageId: id }),
  GetPagePreference: ({ id }) => reader.preferences.getPagePreference({ pageId: id }),
  UpdatePagePreference: ({ id }) => reader.preferences.updatePagePreference({ pageId: id, ...favorite }),
  UpdateView: ({ id }) => reader.views.updateView({ pageId: id, duration: 1, updateMask: { paths: ['duration'] } }),
  GetPoll: ({ id }) => reader.polls.getPoll({ pageId: id }),
  Vote: ({ id, optionIds }) => reader.polls.vote({ pageId: id, optionIds }),
  RemoveVote: ({ id }) => reader.polls.removeVote({ pageId: id }),
  GetMustRead: ({ id }) => reader.mustReads.getMustRead({ pageId: id }),
  AcknowledgePage: ({ id }) => reader.mustReads.acknowledgePage({ pageId: id }),
}

/** What readers ask beside it: lists, and the pages above and below, by RPC. */
const shown: Record<string, (scene: Scene) => Promise<object>[]> = {
  ListPages: ({ categoryId }) => [
    reader.pages.listPages({ workspaceId, limit: 100 }),
    reader.pages.listPages({ workspaceId, categoryId, sortBy: 'viewCount' }),
    reader.pages.listPages({ workspaceId, search: secret.slice(3) }),
    reader.pages.listPages({ workspaceId, search: 'Open' }),
  ],
  GetPage: ({ parentId, childId }) => [parentId, childId].map(id => reader.pages.getPage({ id })),
  GetPageHierarchy: ({ parentId, childId }) => [parentId, childId].map(id => reader.pages.getPageHierarchy({ id })),
  ListPagePreferences: () => [reader.preferences.listPagePreferences({ workspaceId })],
  ListPins: () => [reader.pins.listPins({ workspaceId })],
  ListMustReads: () => [reader.mustReads.listMustReads({ workspaceId })],
  ListCategories: () => [reader.categories.listCategories({ workspaceId })],
}

/** What readers may ask that shows no page: GetViews names pages that the caller has read before. */
const ofNoPage = ['GetViews', 'ListTemplates', 'SyncMembers']

test('every RPC that readers may call is in `refused`, `shown` or `ofNoPage`', async () => {
  const theirs = (await rpcsOfPackage('platform.news.v1')).filter(rpc => {
    const rule = accessOf(rpc)
    return takesPeople(rule) && rule.permission === ''
  })
  const listedRpcs = new Set([...Object.keys(refused), ...Object.keys(shown), ...ofNoPage])
  assert.equal(
    theirs.map(({ name }) => name).toSorted(),
    [...listedRpcs].toSorted(),
    'Add a new RPC to `refused` if it takes the id of a page, to `shown` if it returns other pages, else to `ofNoPage`.',
  )
})

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
    await reader.preferences.updatePagePreference({ pageId: id, ...favorite })
    await editor.pins.createPin({ pageId: id, workspaceId })
    await editor.mustReads.setMustRead({ pageId: id })
    await hide(id)
    if (name !== 'deleted')
      await editor.pages.updatePage({ id, title: secret, excerpt: secret, updateMask: { paths: ['title', 'excerpt'] } })

    const scene = { id, parentId, childId, categoryId: category?.id ?? '', commentId, optionIds }
    for (const [rpc, ask] of Object.entries(refused)) assert.is((await refusal(ask(scene))).info.status, 404, rpc)

    for (const [rpc, ask] of Object.entries(shown))
      for (const answer of await Promise.all(ask(scene))) {
        const text = JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value))
        assert.not.ok(
          text.includes(id) || text.includes(secret) || text.includes('"Open"'),
          `${rpc}: ${text.slice(0, 300)}`,
        )
      }
    const { data } = await reader.categories.listCategories({ workspaceId })
    assert.not.ok(data.find(one => one.id === scene.categoryId)?.pageCount)
    const events = (await world.rows<{ body: string }>('select body from outbox')).filter(row =>
      row.body.includes(secret),
    )
    for (const { body } of events) {
      const { payload, metadata } = JSON.parse(body)
      assert.equal([payload.editorsOnly, metadata.receiverIds], [true, []])
    }
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
