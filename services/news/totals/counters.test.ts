import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { assert } from '../../../test/kit/kit.ts'
import { body, newsSuite } from '../../../test/kit/news.ts'
import { toRpcError } from '../../kernel/base/errors.ts'

const { test, world } = await newsSuite('counters')

/** The number in the single row that a statement returns. */
const numberOf = async (text: string, values: unknown[]): Promise<number> =>
  Number((await world.rows<{ n: number }>(text, values))[0]?.n)

/** A hotel with its editor and 20 members. */
async function scene() {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const people = await Promise.all(Array.from({ length: 20 }, (_, i) => world.person(workspaceId, [], `P${i}`)))
  const { page } = await editor.pages.createPage({ title: 'Brunch', content: body, workspaceId, status: 'published' })
  return { workspaceId, editor, people, pageId: page?.id ?? '' }
}

/** Asserts that every counter of the hotel equals what it counts. */
async function assertExact(workspaceId: string): Promise<void> {
  const { checked, wrong } = await world.host.client(PageService).recountPages({ workspaceId })
  assert.ok(checked > 0)
  assert.is(wrong, 0)
}

test('200 parallel likes, replacements, unlikes, comments and deletes leave counters that equal the rows', async () => {
  const { workspaceId, editor, people, pageId } = await scene()
  const types = ['like', 'love', 'wow', 'sad'] as const
  await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const person = people[i % 20] ?? editor
      if (i % 4 === 3) await person.likes.deleteLike({ pageId })
      else if (i % 4 === 2) {
        const { comment } = await person.comments.createComment({ pageId, content: `${i}` })
        if (i % 8 === 2) await person.comments.deleteComment({ id: comment?.id ?? '' })
      } else await person.likes.createLike({ pageId, reactionType: types[i % 3] ?? 'like' })
    }),
  )
  const { page } = await editor.pages.getPage({ id: pageId })
  assert.is(page?.likeCount, await numberOf('select count(*) as n from likes where page_id = ?', [pageId]))
  assert.is(
    page?.commentCount,
    await numberOf('select count(*) as n from comments where page_id = ? and deleted_at is null', [pageId]),
  )
  assert.is(page?.commentCount, 25)
  await assertExact(workspaceId)
})

test('200 parallel likes and unlikes of one comment, and readings of one page, are counted exactly', async () => {
  const { workspaceId, editor, people, pageId } = await scene()
  const { comment } = await editor.comments.createComment({ pageId, content: 'Come all' })
  const id = comment?.id ?? ''
  await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const person = people[i % 20] ?? editor
      if (i % 2 === 0) await person.pages.getPage({ id: pageId })
      else if (i % 6 === 1) await person.comments.unlikeComment({ id })
      else await person.comments.likeComment({ id })
    }),
  )
  const [listedComment] = (await editor.comments.listComments({ pageId })).data
  assert.is(
    listedComment?.likeCount,
    await numberOf('select count(*) as n from comment_likes where comment_id = ?', [id]),
  )
  assert.is(await numberOf('select view_count as n from pages where id = ?', [pageId]), 100)
  assert.is(await numberOf('select count(*) as n from page_views where page_id = ?', [pageId]), 100)
  assert.is(await numberOf('select sum(views) as n from page_days where page_id = ?', [pageId]), 100)
  await assertExact(workspaceId)
})

test('200 parallel creations, moves, publications and deletions keep categories and list totals exact', async () => {
  const { workspaceId, editor } = await scene()
  const categories = await Promise.all(
    ['Events', 'Kitchen', 'Front desk'].map(async name => {
      const { category } = await editor.categories.createCategory({ name, workspaceId })
      return category?.id ?? ''
    }),
  )
  const before = { content: body, workspaceId }
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const [categoryId = '', otherId = ''] = [categories[i % 3], categories[(i + 1) % 3]]
      const { page } = await editor.pages.createPage({ ...before, title: `Page ${i}`, categoryId })
      const id = page?.id ?? ''
      // Three changes of one page at once, alongside those of all other pages.
      const results = await Promise.allSettled([
        editor.pages.updatePage({ id, categoryId: otherId, updateMask: { paths: ['category_id'] } }),
        i % 2 === 0 ? editor.pages.publishPage({ id }) : editor.pages.getPage({ id }),
        i % 5 === 0 ? editor.pages.deletePage({ id }) : undefined,
      ])
      // A change that comes after the deletion finds no page.
      for (const one of results) if (one.status === 'rejected') assert.is(toRpcError(one.reason).info.status, 404)
    }),
  )
  const live = 'from pages where workspace_id = ? and deleted_at is null'
  const { meta } = await editor.pages.listPages({ workspaceId })
  assert.is(meta?.total, await numberOf(`select count(*) as n ${live}`, [workspaceId]))
  const { data } = await editor.categories.listCategories({ workspaceId })
  for (const { id, pageCount } of data)
    assert.is(pageCount, await numberOf(`select count(*) as n ${live} and category_id = ?`, [workspaceId, id]))
  await assertExact(workspaceId)
})

test.run()
