import { create } from '@bufbuild/protobuf'
import { ExportService, NewsDataSchema } from '../../../gen/platform/news/v1/export_pb.ts'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { body, type NewsForTest, newsForTest } from '../../../test/kit/news.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('export of a member’s news data')
let world: NewsForTest
test.before(async () => {
  world = await newsForTest()
})
test.after(() => world.end())

const fetchAll = async (memberId: string) =>
  (await world.host.client(ExportService).exportNewsData({ memberId, everything: true })).data
const fetchOf = async (memberId: string, ...workspaceIds: string[]) =>
  (await world.host.client(ExportService).exportNewsData({ memberId, workspaceIds })).data

/** Ben wrote a page, a draft, a page in the trash and a comment, and answered a poll. */
async function scene() {
  const workspaceId = await world.hotel()
  const ben = await world.editor(workspaceId, 'Ben')
  const write = async (title: string, status: string, pageType = 'article') =>
    (await ben.pages.createPage({ title, content: body, workspaceId, status, pageType })).page?.id ?? ''
  const pageId = await write('Brunch', 'published')
  await write('Raise for Ada', 'draft')
  await ben.pages.deletePage({ id: await write('Mistake', 'published') })
  const pollId = await write('Which day?', 'published', 'poll')
  const { poll } = await ben.polls.setPoll({ pageId: pollId, options: ['Monday', 'Friday'] })
  await ben.polls.vote({ pageId: pollId, optionIds: [poll?.options[1]?.id ?? ''] })
  await ben.preferences.updatePagePreference({ pageId, isBookmarked: true, updateMask: { paths: ['is_bookmarked'] } })
  const { comment } = await ben.comments.createComment({ pageId, content: 'From eleven' })
  await ben.comments.likeComment({ id: comment?.id ?? '' })
  const deletedComment = await ben.comments.createComment({ pageId, content: 'Oops' })
  await ben.comments.deleteComment({ id: deletedComment.comment?.id ?? '' })
  await ben.likes.createLike({ pageId, reactionType: 'love' })
  await ben.mustReads.setMustRead({ pageId })
  await ben.mustReads.acknowledgePage({ pageId })
  await ben.pages.getPage({ id: pageId })
  return { workspaceId, ben, pageId }
}

test('everything that a member wrote and did is exported, with drafts and what they deleted', async () => {
  const { ben, pageId } = await scene()
  const data = await fetchAll(ben.memberId)
  assert.equal(
    new Map(data?.pages.map(({ title, status, deletedAt }) => [title, [status, deletedAt !== undefined]])),
    new Map([
      ['Which day?', ['published', false]],
      ['Mistake', ['published', true]],
      ['Raise for Ada', ['draft', false]],
      ['Brunch', ['published', false]],
    ]),
  )
  assert.equal(data?.pages.find(({ id }) => id === pageId)?.content, body)
  assert.equal(
    new Map(data?.comments.map(({ content, deletedAt }) => [content, deletedAt !== undefined])),
    new Map([
      ['Oops', true],
      ['From eleven', false],
    ]),
  )
  assert.equal(
    [data?.reactions[0]?.reactionType, data?.acknowledgements[0]?.pageId, data?.views[0]?.pageId],
    ['love', pageId, pageId],
  )
  assert.equal([data?.pagePreferences[0]?.isBookmarked, data?.pollAnswers[0]?.label], [true, 'Friday'])
  assert.equal([data?.commentLikes.length, data?.truncated], [1, []])
  assert.ok(data?.revisions.some(({ title }) => title === 'Brunch'))
})

test('the export of named workspaces has their data alone, without what only the member sees', async () => {
  const { ben, workspaceId } = await scene()
  const data = await fetchOf(ben.memberId, workspaceId)
  assert.equal(new Set(data?.pages.map(({ title }) => title)), new Set(['Which day?', 'Brunch']))
  assert.not.ok(data?.revisions.some(({ title }) => ['Raise for Ada', 'Mistake'].includes(title)))
  assert.equal(
    [data?.comments.map(({ content }) => content), data?.pagePreferences, data?.pollAnswers],
    [['From eleven'], [], []],
  )
  for (const { id } of data?.pages ?? []) await ben.pages.archivePage({ id })
  const afterArchive = await fetchOf(ben.memberId, workspaceId)
  assert.equal([afterArchive?.pages, afterArchive?.revisions, afterArchive?.comments], [[], [], []])
  assert.equal([data?.reactions.length, data?.commentLikes.length, data?.views.length], [1, 1, 1])
  for (const other of [[], [newId()]]) {
    assert.equal(await fetchOf(ben.memberId, ...other), create(NewsDataSchema))
  }
})

test('an export that would be too large keeps the newest entries and names what it cut', async () => {
  const { ben, workspaceId, pageId } = await scene()
  const [longText, createdAt] = ['x'.repeat(9_000), new Date()]
  // Ids sort by second.
  const startMs = createdAt.getTime() + 1_000
  await world.rows('insert into comments (id, workspace_id, page_id, member_id, content, created_at) values ?', [
    Array.from({ length: 600 }, (_, i) => [
      newId(startMs + i * 1_000),
      workspaceId,
      pageId,
      ben.memberId,
      `${i} ${longText}`,
      createdAt,
    ]),
  ])
  const data = await fetchAll(ben.memberId)
  assert.ok(data && data.comments.length > 200 && data.comments.length < 600)
  assert.match(data.comments[0]?.content ?? '', /^599 /)
  assert.ok(data.truncated.includes('comments'))
})

test('people cannot call the export', async () => {
  const { ben } = await scene()
  const call = world.host.as(ExportService, ben.userId, ben.claims).exportNewsData({ memberId: ben.memberId })
  assert.is((await refusal(call)).info.status, 403)
})

test.run()
