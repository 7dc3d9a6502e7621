import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, type NewsPerson, newsSuite } from '../../../test/kit/news.ts'
import { toRpcError } from '../../kernel/base/errors.ts'

const { test, world } = await newsSuite('contention on one page')

async function scene(many: number) {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const people = await Promise.all(Array.from({ length: many }, (_, i) => world.person(workspaceId, [], `P${i}`)))
  const { page } = await editor.pages.createPage({ title: 'Brunch', content: body, workspaceId, status: 'published' })
  return { workspaceId, editor, people, pageId: page?.id ?? '' }
}

const numberOf = async (table: string, pageId: string): Promise<number> =>
  Number((await world.rows<{ n: number }>(`select count(*) as n from ${table} where page_id = ?`, [pageId]))[0]?.n)

test('1,000 simultaneous reactions, comments and removals of 200 people on one page are all answered and counted exactly', async () => {
  const { workspaceId, editor, people, pageId } = await scene(200)
  const types = ['like', 'love', 'wow']
  const act = (person: NewsPerson, i: number): Promise<unknown> => {
    if (i % 5 === 4) return person.comments.createComment({ pageId, content: `${i}` })
    if (i % 5 === 3) return person.likes.deleteLike({ pageId })
    return person.likes.createLike({ pageId, reactionType: types[i % 3] ?? 'like' })
  }
  const answers = await Promise.allSettled(
    Array.from({ length: 1_000 }, (_, i) => act(people[Math.floor(i / 5)] ?? editor, i)),
  )
  const refusals = answers.flatMap(one => (one.status === 'rejected' ? [toRpcError(one.reason).info] : []))
  for (const { status, retryAfterSeconds } of refusals) assert.equal([status, retryAfterSeconds > 0], [503, true])
  const { page } = await editor.pages.getPage({ id: pageId })
  assert.is(page?.likeCount, await numberOf('likes', pageId))
  assert.is(page?.commentCount, await numberOf('comments', pageId))
  const { wrong } = await world.host.client(PageService).recountPages({ workspaceId })
  assert.is(wrong, 0)
  // Tolerates what a slow machine can't do in time; normally none is refused.
  assert.ok(refusals.length <= 10, `${refusals.length} refused`)
})

test('contention beyond the retries is a 503 with Retry-After', async () => {
  const { people, pageId } = await scene(1)
  const [person] = people
  await world.rows(
    `create trigger jam before insert on likes for each row
     signal sqlstate '40001' set mysql_errno = 1213, message_text = 'Deadlock found when trying to get lock'`,
  )
  try {
    const { info } = await refusal((person as NewsPerson).likes.createLike({ pageId }))
    assert.equal([info.status, info.class, info.retryAfterSeconds], [503, 'ServiceUnavailableError', 1])
  } finally {
    await world.rows('drop trigger jam')
  }
  assert.is((await (person as NewsPerson).likes.createLike({ pageId })).pageId, pageId)
})

test.run()
