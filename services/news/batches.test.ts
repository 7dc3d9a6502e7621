import { NotFoundError, toPlatformError } from '../kernel/base/errors.ts'
import { newId } from '../kernel/base/ids.ts'
import { assert, refusal, suite } from '../../test/kit/kit.ts'
import { body, type NewsForTest, newsForTest } from '../../test/kit/news.ts'
import { inBatches } from './batches.ts'

const test = suite('writing together')
let world: NewsForTest

test.before(async () => {
  world = await newsForTest()
})
test.after(() => world.end())

test('what comes while others are written shares the next write, each key for itself, in order', async () => {
  const written: string[][] = []
  let release = () => {}
  const gate = new Promise<void>(resolve => (release = resolve))
  const write = inBatches(async (items: string[]) => {
    written.push(items)
    await gate
    return items.map(item => item.toUpperCase())
  }, 3)
  const answers = ['a', 'b', 'c', 'd', 'e'].map(item => write('one', item))
  const other = write('two', 'z')
  release()
  assert.equal(await Promise.all(answers), ['A', 'B', 'C', 'D', 'E'])
  assert.is(await other, 'Z')
  assert.equal(written, [['a'], ['z'], ['b', 'c', 'd'], ['e']])
})

test('one that is refused is refused alone, a failure is that of all, and the key goes on', async () => {
  let runs = 0
  const write = inBatches(async (items: number[]) => {
    runs++
    if (items.includes(2)) throw new NotFoundError('two')
    if (items.includes(9)) throw new Error('no database')
    return items
  }, 10)
  const settled = await Promise.allSettled([0, 1, 2, 3].map(item => write('one', item)))
  assert.equal(
    settled.map(one => (one.status === 'fulfilled' ? one.value : toPlatformError(one.reason).rawMessage)),
    [0, 1, 'two', 3],
  )
  assert.is(runs, 5)
  const failed = await Promise.allSettled([7, 8, 9].map(item => write('two', item)))
  assert.equal(
    failed.map(one => one.status),
    ['fulfilled', 'rejected', 'rejected'],
  )
  assert.is(runs, 7)
  assert.is(await write('one', 4), 4)
})

test('comments of one moment are stored together with their events; wrong ones among them are refused alone', async () => {
  const workspaceId = await world.hotel()
  const [editor, ben] = [await world.editor(workspaceId), await world.person(workspaceId, [], 'Ben')]
  const { page } = await editor.pages.createPage({ title: 'Busy', content: body, workspaceId, status: 'published' })
  const pageId = page?.id ?? ''
  const { comment } = await ben.comments.createComment({ pageId, content: 'First' })
  const parentIds = Array.from({ length: 60 }, (_, i) => [undefined, comment?.id, newId()][i % 3])
  const results = await Promise.all(
    parentIds.map((parentId, i) => {
      const call = ben.comments.createComment({ pageId, content: `${i}`, ...(parentId ? { parentId } : {}) })
      return i % 3 === 2 ? refusal(call) : call
    }),
  )
  for (const [i, result] of results.entries()) {
    if (result instanceof Error)
      assert.equal([i % 3, result.info.status, result.rawMessage], [2, 404, 'Parent comment not found'])
    else assert.equal([result.comment?.content, result.comment?.parentId], [`${i}`, parentIds[i]])
  }
  const { data, total } = await ben.comments.listComments({ pageId })
  assert.equal([total, data.length, data[0]?.replies.length], [41, 21, 20])
  const events = (await world.events('comment.created')).filter(event => event.payload['pageId'] === pageId)
  assert.is(events.length, 82)
  assert.is(new Set(events.map(event => event.payload['id'])).size, 41)
  assert.is((await editor.pages.getPage({ id: pageId })).page?.commentCount, 41)
})

test.run()
