import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, laterOn, newsSuite } from '../../../test/kit/news.ts'

const { test, world } = await newsSuite('reactions')

async function scene() {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const ben = await world.person(workspaceId, [], 'Ben')
  const { page } = await editor.pages.createPage({ title: 'Brunch', content: body, workspaceId, status: 'published' })
  return { workspaceId, editor, ben, pageId: page?.id ?? '' }
}

const eventsOf = async (pageId: string, type = 'like.created') =>
  (await world.events(type)).filter(event => event.payload['pageId'] === pageId)

test('a reaction counts once, is replaced or sent again without counting, and each notifies the page’s author on sockets', async () => {
  const { editor, ben, pageId } = await scene()
  const first = await ben.likes.createLike({ pageId })
  assert.equal([first.pageId, first.reactionType], [pageId, 'like'])
  const second = await ben.likes.createLike({ pageId, reactionType: 'wow' })
  assert.equal([second.id, second.reactionType, second.createdAt], [first.id, 'wow', first.createdAt])
  await ben.likes.createLike({ pageId, reactionType: 'wow' })
  await editor.likes.createLike({ pageId, reactionType: 'love' })
  assert.is((await ben.pages.getPage({ id: pageId })).page?.likeCount, 2)
  const events = await eventsOf(pageId)
  assert.equal(
    events.map(({ payload }) => [payload['reactionType'], payload['replaced'], payload['repeated']]),
    [
      ['like', false, false],
      ['wow', true, false],
      ['wow', false, true],
      ['love', false, false],
    ],
  )
  for (const { metadata } of events) assert.equal(metadata.receiverIds, [editor.memberId])
  assert.equal(
    events.slice(0, 3).map(({ payload }) => payload['id']),
    [first.id, first.id, first.id],
  )
  assert.equal(events[0]?.payload['title'], 'Brunch')
  assert.equal(events[0]?.payload['memberId'], ben.memberId)
  assert.equal(events[0]?.channels, ['socket'])
})

test('the list contains the total, the used types and the members, latest first', async () => {
  const { editor, ben, pageId } = await scene()
  await ben.likes.createLike({ pageId, reactionType: 'haha' })
  await editor.likes.createLike({ pageId, reactionType: 'haha' })
  await laterOn()
  await ben.likes.createLike({ pageId, reactionType: 'sad' })
  const { total, breakdown, members } = await ben.likes.listLikes({ pageId })
  assert.equal([total, breakdown], [2, { haha: 1, sad: 1 }])
  assert.equal(
    members.map(one => [one.member?.firstName, one.reactionType]),
    [
      ['Ben', 'sad'],
      ['Edith', 'haha'],
    ],
  )
  assert.is((await ben.likes.listLikes({ pageId, page: 2, limit: 1 })).members[0]?.member?.firstName, 'Edith')
})

test('removing a reaction twice counts and is published once', async () => {
  const { ben, pageId } = await scene()
  await ben.likes.createLike({ pageId })
  assert.is((await ben.likes.deleteLike({ pageId })).pageId, pageId)
  await ben.likes.deleteLike({ pageId })
  assert.is((await ben.pages.getPage({ id: pageId })).page?.likeCount, 0)
  const withdrawn = (await eventsOf(pageId, 'like.deleted')).map(({ payload, metadata }) => [
    payload['memberId'],
    metadata.receiverIds,
  ])
  assert.equal(withdrawn, [[ben.memberId, []]])
  assert.is((await refusal(ben.likes.createLike({ pageId, reactionType: 'meh' }))).info.status, 400)
})

test('a recount finds wrong counters and repairs them on request', async () => {
  const { workspaceId, editor, ben, pageId } = await scene()
  await ben.likes.createLike({ pageId })
  await world.rows('update pages set like_count = 7 where id = ?', [pageId])
  await world.rows('update page_counters set total = 9 where workspace_id = ?', [workspaceId])
  const client = world.host.client(PageService)
  const recount = await client.recountPages({ workspaceId })
  assert.ok(recount.wrong >= 2)
  assert.is(recount.repaired, 0)
  const mended = await client.recountPages({ workspaceId, repair: true })
  assert.is(mended.repaired, recount.wrong)
  assert.is((await client.recountPages({ workspaceId })).wrong, 0)
  assert.is((await editor.pages.listPages({ workspaceId })).meta?.total, 1)
})

test.run()
