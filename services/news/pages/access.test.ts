import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, type NewsPerson, newsSuite } from '../../../test/kit/news.ts'

const { test, world } = await newsSuite('drafts of authors')
const workspaceId = await world.hotel()
const author = await world.person(workspaceId, ['create_content'])
const editor = await world.editor(workspaceId)

const draftOf = async (one: NewsPerson): Promise<string> =>
  (await one.pages.createPage({ title: 'Menu', content: body, workspaceId })).page?.id ?? ''
const rename = (one: NewsPerson, id: string) =>
  one.pages.updatePage({ id, title: 'Carte', updateMask: { paths: ['title'] } })
const turn = (one: NewsPerson, id: string, status: string) =>
  one.pages.updatePage({ id, status, updateMask: { paths: ['status'] } })

test('an author with create_content updates and deletes their own draft', async () => {
  const id = await draftOf(author)
  assert.is((await rename(author, id)).page?.title, 'Carte')
  assert.is((await author.pages.deletePage({ id })).id, id)
  assert.is((await refusal(author.pages.getPage({ id }))).info.status, 404)
})

test('an author with create_content cannot publish or archive a draft, or change another member’s', async () => {
  const id = await draftOf(author)
  for (const status of ['published', 'archived']) assert.is((await refusal(turn(author, id, status))).info.status, 403)
  const foreign = await draftOf(editor)
  assert.is((await refusal(rename(author, foreign))).info.status, 404)
  assert.is((await refusal(author.pages.deletePage({ id: foreign }))).info.status, 404)
})

test('a published page requires edit or delete permission, also from its author', async () => {
  const id = await draftOf(author)
  await editor.pages.publishPage({ id })
  assert.is((await refusal(rename(author, id))).info.status, 403)
  assert.is((await refusal(author.pages.deletePage({ id }))).info.status, 403)
})

test('a scheduled draft is changed by its author only with publish_content, and can still be deleted', async () => {
  const publisher = await world.person(workspaceId, ['create_content', 'publish_content'])
  const [id, publisherDraftId] = [await draftOf(author), await draftOf(publisher)]
  const scheduledAt = timestampFromDate(new Date(Date.now() + 86_400_000))
  for (const one of [id, publisherDraftId]) await publisher.pages.schedulePage({ id: one, scheduledAt })
  assert.is((await refusal(rename(author, id))).info.status, 403)
  assert.is((await rename(publisher, publisherDraftId)).page?.title, 'Carte')
  await publisher.pages.unschedulePage({ id })
  assert.is((await rename(author, id)).page?.title, 'Carte')
  await publisher.pages.schedulePage({ id, scheduledAt })
  assert.is((await author.pages.deletePage({ id })).id, id)
})

test('a member without create_content can change nothing, not even their former draft', async () => {
  const former = await world.person(workspaceId, ['create_content'])
  const id = await draftOf(former)
  await world.members("update workspace_members set permission_slugs = '[]' where member_id = ?", [former.memberId])
  assert.is((await refusal(rename(former, id))).info.status, 403)
  assert.is((await refusal(former.pages.deletePage({ id }))).info.status, 403)
})

test('an administrator of an inactive workspace reads a page and its statistics', async () => {
  const resting = await world.hotel()
  const admin = await world.editor(resting)
  const { page } = await admin.pages.createPage({
    title: 'Menu',
    content: body,
    workspaceId: resting,
    status: 'published',
  })
  const id = page?.id ?? ''
  await world.members('update workspace_members set is_admin = 1 where member_id = ?', [admin.memberId])
  await world.members('update workspaces set is_active = 0 where id = ?', [resting])
  assert.is((await admin.pages.getPage({ id })).page?.title, 'Menu')
  assert.is((await admin.analytics.getPageAnalytics({ id })).views?.total, 1)
})

test.run()
