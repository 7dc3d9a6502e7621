import { assert, refusal } from '../../test/kit/kit.ts'
import { body, newsSuite } from '../../test/kit/news.ts'

const { test, world } = await newsSuite('authors who left')

/** The authors that pages, comments, reactions and revisions show, all by one person, after the statement has run. */
async function shownAfter(sql: string) {
  const workspaceId = await world.hotel()
  const author = await world.editor(workspaceId, 'Ada')
  const reader = await world.editor(workspaceId, 'Ben')
  const { page } = await author.pages.createPage({ title: 'Menu', content: body, workspaceId, status: 'published' })
  const pageId = page?.id ?? ''
  await author.comments.createComment({ pageId, content: 'Bon appétit' })
  await author.likes.createLike({ pageId, reactionType: 'love' })
  await world.members(sql, [author.memberId])
  const [read, list, comments, likes, revisions] = await Promise.all([
    reader.pages.getPage({ id: pageId }),
    reader.pages.listPages({ workspaceId }),
    reader.comments.listComments({ pageId }),
    reader.likes.listLikes({ pageId }),
    reader.revisions.listRevisions({ pageId }),
  ])
  const authors = [
    read.page?.createdBy,
    list.data[0]?.createdBy,
    comments.data[0]?.member,
    likes.members[0]?.member,
    revisions.data[0]?.createdBy,
  ]
  return { id: author.memberId, shown: authors.map(one => one && [one.id, one.firstName, one.lastName]) }
}

test('a deactivated or deleted author keeps id and names', async () => {
  for (const change of ['is_active = 0', 'deleted_at = now(3), is_active = 0, user_id = null, live_email = null']) {
    const { id, shown } = await shownAfter(`update members set ${change} where id = ?`)
    assert.equal(shown, Array(5).fill([id, 'Ada', 'Lind']), change)
  }
})

test('an erased author remains as an object with null names', async () => {
  const { id, shown } = await shownAfter(`
    update members set deleted_at = now(3), is_active = 0, first_name = 'Former', last_name = 'member',
      email = concat(id, '@erased.invalid'), user_id = null, live_email = null where id = ?`)
  assert.equal(shown, Array(5).fill([id, undefined, undefined]))
})

test('a draft whose author cannot be read is not created, so that a retry with the same key makes one page', async () => {
  const workspaceId = await world.hotel()
  const author = await world.editor(workspaceId)
  const draft = { title: 'Menu', content: body, workspaceId }
  await world.members('rename table member_directory to member_directory_away', [])
  try {
    assert.is((await refusal(author.pages.createPage(draft))).info.status, 500)
  } finally {
    await world.members('rename table member_directory_away to member_directory', [])
  }
  assert.equal(await world.rows('select id from pages where workspace_id = ?', [workspaceId]), [])
})

test('an event about a page has only active members as receivers', async () => {
  const workspaceId = await world.hotel()
  const author = await world.editor(workspaceId)
  const inactiveMember = await world.person(workspaceId)
  const { page } = await author.pages.createPage({ title: 'Menu', content: body, workspaceId })
  await world.members('update members set is_active = 0 where id = ?', [inactiveMember.memberId])
  await author.pages.publishPage({ id: page?.id ?? '' })
  const events = (await world.events('page.created')).filter(event => event.workspaceId === workspaceId)
  assert.ok(events.length > 0)
  for (const { metadata } of events) assert.equal(metadata.receiverIds, [author.memberId])
})

test.run()
