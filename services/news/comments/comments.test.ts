import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import { body, laterOn, newsSuite } from '../../../test/kit/news.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { CommentRow } from '../tables.ts'
import { commentTrees, deepestReply } from './tree.ts'

const { test, world } = await newsSuite('comments')

/** A hotel with an editor, two readers and a published page of the editor. */
async function scene(fields: object = {}) {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const [ben, cleo] = [await world.person(workspaceId, [], 'Ben'), await world.person(workspaceId, [], 'Cleo')]
  const { page } = await editor.pages.createPage({
    title: 'Open day',
    content: body,
    workspaceId,
    status: 'published',
    ...fields,
  })
  return { workspaceId, editor, ben, cleo, pageId: page?.id ?? '' }
}

const eventsOf = async (type: string, pageId: string) =>
  (await world.events(type)).filter(event => event.payload['pageId'] === pageId)

test('a comment notifies all others on sockets, then the page’s author on push and socket, as one occurrence', async () => {
  const { editor, ben, cleo, pageId } = await scene()
  const { comment } = await ben.comments.createComment({ pageId, content: 'Well done' })
  assert.equal([comment?.content, comment?.pageId, comment?.member?.firstName], ['Well done', pageId, 'Ben'])
  assert.equal([comment?.likeCount, comment?.replies, comment?.parentId], [0, [], undefined])
  const [first, second, third] = await eventsOf('comment.created', pageId)
  assert.is(third, undefined)
  assert.equal(first?.channels, ['socket'])
  assert.equal(first?.metadata.receiverIds.toSorted(), [editor.memberId, cleo.memberId].toSorted())
  assert.equal(second?.channels, ['push', 'socket'])
  assert.equal(second?.metadata.receiverIds, [editor.memberId])
  assert.is(first?.metadata.occurrenceId, second?.metadata.occurrenceId)
  const { createdAt, ...payload } = first?.payload ?? {}
  assert.match(String(createdAt), /^\d{4}-.*Z$/)
  assert.equal(payload, {
    id: comment?.id,
    pageId,
    title: 'Open day',
    content: 'Well done',
    parentId: null,
    member: { id: ben.memberId, firstName: 'Ben', lastName: 'Lind', photo_url: null },
  })
  assert.is((await editor.pages.getPage({ id: pageId })).page?.commentCount, 1)
})

test('a comment on the author’s own page is emitted on push and socket, and once when notifications are off', async () => {
  const ownScene = await scene()
  await ownScene.editor.comments.createComment({ pageId: ownScene.pageId, content: 'Me' })
  const [first, second] = await eventsOf('comment.created', ownScene.pageId)
  assert.not.ok(first?.metadata.receiverIds.includes(ownScene.editor.memberId))
  assert.equal([second?.channels, second?.metadata.receiverIds], [['push', 'socket'], [ownScene.editor.memberId]])
  assert.equal(first?.metadata.occurrenceId, second?.metadata.occurrenceId)
  const quiet = await scene({ enableNotifications: false })
  await quiet.ben.comments.createComment({ pageId: quiet.pageId, content: 'Psst' })
  assert.equal(
    (await eventsOf('comment.created', quiet.pageId)).map(event => event.channels),
    [['socket']],
  )
})

test('a page with comments or reactions disabled refuses them', async () => {
  const { ben, pageId } = await scene({ enableComments: false, enableLikes: false })
  assert.is((await refusal(ben.comments.createComment({ pageId, content: 'Hi' }))).info.status, 403)
  assert.is((await refusal(ben.likes.createLike({ pageId }))).info.status, 403)
})

test('comments and reactions that wait while they are disabled are refused', async () => {
  const { ben, pageId } = await scene()
  const calls = {
    enable_comments: () => ben.comments.createComment({ pageId, content: 'Late' }),
    enable_likes: () => ben.likes.createLike({ pageId }),
  }
  for (const [column, call] of Object.entries(calls)) {
    await world.rows('start transaction')
    try {
      await world.rows(`update pages set ${column} = 0 where id = ?`, [pageId])
      const lateRefusal = refusal(call())
      await eventually(world.waitsForLock)
      await world.rows('commit')
      assert.is((await lateRefusal).info.status, 403, column)
    } finally {
      await world.rows('rollback')
    }
  }
})

test('a blank comment, an unknown page, and a parent of another page are refused', async () => {
  const { ben, pageId } = await scene()
  const otherScene = await scene()
  const { comment } = await otherScene.ben.comments.createComment({ pageId: otherScene.pageId, content: 'There' })
  const create = (fields: object) => refusal(ben.comments.createComment({ pageId, content: 'Hi', ...fields }))
  assert.is((await create({ content: ' \n\u00a0' })).info.violations[0]?.path, 'content')
  assert.is((await create({ pageId: newId() })).info.status, 404)
  assert.is((await create({ pageId: otherScene.pageId })).info.status, 404)
  assert.is((await create({ parentId: newId() })).info.status, 404)
  assert.is((await create({ parentId: comment?.id })).info.status, 404)
  assert.is((await ben.pages.getPage({ id: pageId })).page?.commentCount, 0)
})

test('a deleted comment keeps the position of its replies, and the count drops by one', async () => {
  const { editor, ben, cleo, pageId } = await scene()
  const { comment: top } = await ben.comments.createComment({ pageId, content: 'Top' })
  const { comment: reply } = await cleo.comments.createComment({ pageId, content: 'Reply', parentId: top?.id ?? '' })
  await ben.comments.createComment({ pageId, content: 'Deeper', parentId: reply?.id ?? '' })
  const { comment: lone } = await ben.comments.createComment({ pageId, content: 'Lone' })
  assert.is((await refusal(cleo.comments.deleteComment({ id: top?.id ?? '' }))).info.status, 403)
  await ben.comments.deleteComment({ id: top?.id ?? '' })
  await editor.comments.deleteComment({ id: lone?.id ?? '' })
  assert.is((await refusal(ben.comments.deleteComment({ id: lone?.id ?? '' }))).info.status, 404)
  const { data, total } = await cleo.comments.listComments({ pageId })
  assert.is(total, 2)
  assert.is(data.length, 1)
  assert.equal([data[0]?.isDeleted, data[0]?.content], [true, ''])
  const { id, firstName, lastName, photoUrl } = data[0]?.member ?? (assert.unreachable() as never)
  assert.equal([id, firstName, lastName, photoUrl], [undefined, undefined, undefined, undefined])
  assert.is(data[0]?.replies[0]?.content, 'Reply')
  assert.is(data[0]?.replies[0]?.replies[0]?.content, 'Deeper')
  assert.is((await editor.pages.getPage({ id: pageId })).page?.commentCount, 2)
  const [event] = await eventsOf('comment.deleted', pageId)
  assert.equal(event?.payload, { id: top?.id, pageId, title: 'Open day', parentId: null })
  assert.equal([event?.channels, event?.metadata.receiverIds], [['socket'], []])
  const error = await refusal(cleo.comments.createComment({ pageId, content: 'Late', parentId: top?.id ?? '' }))
  assert.is(error.info.status, 404)
})

test('authors change their comment, and others are refused', async () => {
  const { ben, editor, pageId } = await scene()
  const { comment } = await ben.comments.createComment({ pageId, content: 'Frist' })
  const change = (caller: typeof ben, content?: string) =>
    caller.comments.updateComment({
      id: comment?.id ?? '',
      ...(content ? { content } : {}),
      updateMask: { paths: ['content'] },
    })
  const { comment: updatedComment } = await change(ben, 'First')
  assert.equal([updatedComment?.content, updatedComment?.isEdited], ['First', true])
  assert.ok(updatedComment?.editedAt)
  assert.is((await refusal(change(editor, 'Mine'))).info.status, 403)
  assert.is((await refusal(change(ben))).info.status, 400)
  assert.is((await refusal(change(ben, ' '))).info.violations[0]?.path, 'content')
})

test('repeated likes of a comment count once, as do repeated removals', async () => {
  const { ben, cleo, pageId } = await scene()
  const { comment } = await ben.comments.createComment({ pageId, content: 'Nice' })
  const id = comment?.id ?? ''
  await Promise.all([1, 2, 3].map(() => cleo.comments.likeComment({ id })))
  assert.equal(await ben.comments.likeComment({ id }).then(answer => [answer.likeCount, answer.hasLiked]), [2, true])
  const { data } = await cleo.comments.listComments({ pageId })
  assert.equal([data[0]?.hasLiked, data[0]?.likeCount], [true, 2])
  await cleo.comments.unlikeComment({ id })
  assert.is((await cleo.comments.unlikeComment({ id })).likeCount, 1)
})

test('members who disabled comment notifications of a page receive none', async () => {
  const { workspaceId, editor, ben, cleo, pageId } = await scene()
  for (const { memberId } of [editor, cleo])
    await world.rows(
      'insert into page_preferences (page_id, member_id, workspace_id, notify_on_comment, updated_at) values (?, ?, ?, 0, now())',
      [pageId, memberId, workspaceId],
    )
  await ben.comments.createComment({ pageId, content: 'Hello?' })
  const events = await eventsOf('comment.created', pageId)
  assert.equal(
    events.map(event => event.metadata.receiverIds),
    [[]],
  )
})

test('followers of a page get its comments by push, too, except their own', async () => {
  const { editor, ben, cleo, pageId } = await scene()
  await ben.preferences.updatePagePreference({ pageId, isFollowing: true, updateMask: { paths: ['is_following'] } })
  await cleo.comments.createComment({ pageId, content: 'Anyone?' })
  await ben.comments.createComment({ pageId, content: 'Me' })
  const events = await eventsOf('comment.created', pageId)
  const pushed = events.filter(({ channels }) => channels.includes('push'))
  assert.equal(
    pushed.map(({ metadata }) => metadata.receiverIds),
    [[editor.memberId, ben.memberId], [editor.memberId]],
  )
})

test('pages of top-level comments contain all their replies', async () => {
  const { ben, pageId } = await scene()
  for (let i = 0; i < 3; i++) {
    await laterOn()
    const { comment } = await ben.comments.createComment({ pageId, content: `Top ${i}` })
    await ben.comments.createComment({ pageId, content: `Reply ${i}`, parentId: comment?.id ?? '' })
  }
  const { data, total } = await ben.comments.listComments({ pageId, page: 2, limit: 2 })
  assert.is(total, 6)
  assert.equal(
    data.map(one => [one.content, one.replies[0]?.content]),
    [['Top 2', 'Reply 2']],
  )
})

test('1,000 stored replies are returned in one answer, and their last page costs less than ten times the first', async () => {
  const { workspaceId, ben, pageId } = await scene()
  const ids = Array.from({ length: 1_000 }, newId)
  // One in ten is top-level; the others reply to the top-level one before them or to each other.
  const parentOf = (i: number) => (i % 10 === 0 ? null : (ids[i % 2 ? i - (i % 10) : i - 1] ?? null))
  const rows = ids.map((id, i) => [id, workspaceId, pageId, parentOf(i), ben.memberId, `${i}`, new Date(1e12 + i)])
  await world.rows(
    'insert into comments (id, workspace_id, page_id, parent_id, member_id, content, created_at) values ?',
    [rows],
  )
  const { data, total } = await ben.comments.listComments({ pageId })
  const countOf = (nodes: typeof data): number => nodes.reduce((sum, node) => sum + 1 + countOf(node.replies), 0)
  assert.equal([data.length, total, countOf(data)], [100, 1_000, 1_000])
  const last = await ben.comments.listComments({ pageId, page: 10, limit: 10 })
  assert.equal([last.data.length, countOf(last.data)], [10, 100])
})

test('of long comments as many are answered as fit into one answer, and pages of the list have the others', async () => {
  const { workspaceId, editor, ben, pageId } = await scene()
  const columns = 'id, workspace_id, page_id, member_id, content, created_at'
  const content = '😀'.repeat(10_000)
  const long = Array.from({ length: 300 }, (_, index) => [
    ...[newId(), workspaceId, pageId, ben.memberId, content],
    new Date(Date.now() - 400_000 + index * 1_000),
  ])
  for (let start = 0; start < long.length; start += 100)
    await world.rows(`insert into comments (${columns}) values ?`, [long.slice(start, start + 100)])
  const { data, total } = await editor.comments.listComments({ pageId })
  assert.is(total, 300)
  assert.ok(data.length > 120 && data.length < 160, `${data.length}`)
  const last = await editor.comments.listComments({ pageId, page: 3, limit: 100 })
  assert.equal(
    last.data.map(one => one.id),
    long.slice(200).map(([id]) => id),
  )
})

test('a chain of 1,000 replies is returned with the deepest ones side by side, none lost', () => {
  const rows: CommentRow[] = Array.from({ length: 1000 }, (_, i) => ({
    id: `c${i}`,
    workspace_id: 'w',
    page_id: 'p',
    parent_id: i === 0 ? null : `c${i - 1}`,
    member_id: 'm',
    content: `${i}`,
    like_count: 0,
    is_edited: 0,
    edited_at: null,
    created_at: new Date(i),
    deleted_at: i < 999 ? new Date() : null,
  }))
  let nodes = commentTrees(rows, new Map(), new Set())
  let [depth, nodeCount] = [0, 0]
  for (; nodes.length > 0; nodes = nodes.flatMap(node => node.replies)) {
    depth++
    nodeCount += nodes.length
  }
  assert.equal([depth, nodeCount], [deepestReply, 1000])
})

test('simultaneous comments are stored together with their events, and invalid ones among them are refused alone', async () => {
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
