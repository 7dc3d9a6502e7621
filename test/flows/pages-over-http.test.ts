import { call, type Json } from '../../cli/tour/client.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses, type SharedPerson } from '../kit/platform/shared-person.ts'

/** Pages and their authors over HTTP. */
const test = suite('pages over HTTP')
let platform: Platform
let at: Houses
let ours: House
let theirs: House
let author: SharedPerson
let reader: SharedPerson

test.before(async () => {
  platform = await sharedPlatform()
  at = await houses(platform)
  ours = await at.house('Le Phare', 'ada')
  theirs = await at.house('Autre', 'eve')
  const body = { workspaceId: ours.workspace, name: 'Writer', permissions: ['create_content'] }
  assert.is((await at.member('POST', '/roles', ours.token, body)).status, 201)
  author = await at.settle(ours, 'wes', ['Wes', 'Plume'], ours.workspace, 'writer')
  reader = await at.settle(ours, 'rea', ['Rea', 'Lire'])
})
const news = (method: string, path: string, token: string, body?: object) =>
  call(platform.urls, 'news', method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) })
async function made(token: string, more: object = {}): Promise<string> {
  const { status, body } = await news('POST', '/pages', token, {
    workspaceId: ours.workspace,
    title: 'Menu',
    content: {},
    ...more,
  })
  assert.is(status, 201, JSON.stringify(body))
  return String(body['id'])
}
const published = (token: string, more: object = {}) => made(token, { status: 'published', ...more })

test('an author with create_content updates and deletes their own draft, and nothing else', async () => {
  const draft = await made(author.token)
  const renamed = await news('PATCH', `/pages/${draft}`, author.token, { title: 'Carte' })
  assert.equal([renamed.status, renamed.body['title']], [200, 'Carte'])
  for (const status of ['published', 'archived'])
    assert.is((await news('PATCH', `/pages/${draft}`, author.token, { status })).status, 403, status)
  for (const [token, status] of [
    [reader.token, 403],
    [theirs.token, 404],
  ] as const) {
    assert.is((await news('PATCH', `/pages/${draft}`, token, { title: 'Mine' })).status, status)
    assert.is((await news('DELETE', `/pages/${draft}`, token)).status, status)
  }
  assert.is((await news('DELETE', `/pages/${draft}`, author.token)).status, 200)
  assert.is((await news('GET', `/pages/${draft}`, author.token)).status, 404)

  const told = await made(author.token)
  assert.is((await news('POST', `/pages/${told}/publish`, ours.token, {})).status, 200)
  assert.is((await news('PATCH', `/pages/${told}`, author.token, { title: 'Carte' })).status, 403)
  assert.is((await news('DELETE', `/pages/${told}`, author.token)).status, 403)
})

/** Each object in an answer, with the ids printed beside it. */
const idsBeside = (value: unknown): [beside: unknown, inside: unknown][] => {
  if (Array.isArray(value)) return value.flatMap(idsBeside)
  if (typeof value !== 'object' || value === null) return []
  const record = value as Record<string, { id?: string } | null>
  const pairs = Object.entries({ parent: 'parentId', category: 'categoryId', createdBy: 'createdById' }).flatMap(
    ([object, id]): [unknown, unknown][] => (object in record ? [[record[id], record[object]?.id ?? null]] : []),
  )
  const ofComment: [unknown, unknown][] = [
    [record['memberId'], record['member']?.id ?? null],
    [record['workspaceId'], ours.workspace],
  ]
  return [...pairs, ...('replies' in record ? ofComment : []), ...Object.values(record).flatMap(idsBeside)]
}

test('every answer with pages or comments prints ids beside the objects that it has', async () => {
  const { workspace: workspaceId, token } = ours
  const body = { workspaceId, name: 'News' }
  const categoryId = String((await news('POST', '/categories', token, body)).body['id'])
  const template = await news('POST', '/templates', token, { workspaceId, name: 'T', content: { a: 1 } })
  const parentId = await published(token)
  const page = { workspaceId, title: 'Spa', content: {}, parentId, categoryId, status: 'published' }
  const id = await made(token, page)
  const commentId = String((await news('POST', '/comments', token, { pageId: id, content: 'Bon' })).body['id'])
  const [revision] = (await news('GET', `/pages/${id}/revisions`, token)).body['data'] as unknown as Json[]
  // The route, its body, and how many objects its answer has.
  const routes: [method: string, path: string, body: object | undefined, objects: number][] = [
    ['POST', '/pages', page, 3],
    ['POST', `/pages/from-template/${template.body['id']}`, { workspaceId, categoryId, parentId }, 3],
    ['GET', `/pages/${id}`, undefined, 3],
    ['PATCH', `/pages/${id}`, { title: 'Spa and pool' }, 3],
    ['POST', `/pages/${id}/revisions/${revision?.['id']}/restore`, undefined, 3],
    ['GET', `/pages?workspaceId=${workspaceId}&categoryId=${categoryId}&limit=1`, undefined, 2],
    ['POST', '/pins', { workspaceId, pageId: id }, 2],
    ['GET', `/pins/workspace/${workspaceId}`, undefined, 2],
    ['PATCH', `/page-preferences/${id}`, { isFavorite: true }, 0],
    ['GET', `/page-preferences?workspaceId=${workspaceId}`, undefined, 2],
    ['POST', '/comments', { pageId: id, content: 'Beau' }, 2],
    ['POST', '/comments', { pageId: id, content: 'Oui', parentId: commentId }, 2],
    ['PATCH', `/comments/${commentId}`, { content: 'Très bon' }, 2],
    ['DELETE', `/comments/${commentId}`, undefined, 0],
    ['GET', `/comments/page/${id}`, undefined, 6],
    ['DELETE', `/pages/${id}`, undefined, 0],
    ['GET', `/pages/trash?workspaceId=${workspaceId}&limit=1`, undefined, 1],
    ['POST', `/pages/${id}/restore`, undefined, 3],
  ]
  for (const [method, path, sent, objects] of routes) {
    const answer = await news(method, path, token, sent)
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    const found = idsBeside(answer.body)
    assert.is(found.length, objects, `${method} ${path}`)
    for (const [beside, inside] of found) assert.is(beside, inside, `${method} ${path}`)
  }
  const [root] = [await made(token)]
  const { body: bare } = await news('GET', `/pages/${root}`, token)
  assert.equal([bare['parentId'], bare['categoryId']], [null, null])
})

test('an author who cannot read the page above sends back parentId null, and the page stays below it', async () => {
  const above = await published(ours.token)
  const id = await made(author.token, { parentId: above })
  assert.is((await news('POST', `/pages/${above}/unpublish`, ours.token)).status, 200)
  const { body } = await news('GET', `/pages/${id}`, author.token)
  assert.equal([body['parent'], body['parentId']], [null, null])
  const sent = await news('PATCH', `/pages/${id}`, author.token, { ...(body as object), title: 'Carte' })
  assert.is(sent.status, 200, JSON.stringify(sent.body))
  const { body: seen } = await news('GET', `/pages/${id}`, ours.token)
  assert.equal([seen['parentId'], seen['title']], [above, 'Carte'])
})

test('addresses that run no code are stored unchanged, and those that do are a 400 that names them', async () => {
  const content = {
    blocks: [
      { type: 'link', url: 'mailto:ada@phare.example' },
      { type: 'link', href: 'tel:+33491000000' },
      { type: 'link', url: 'phare-app://menu/today' },
      { type: 'image', src: 'data:image/png;base64,iVBORw0KGgo=' },
      { type: 'link', url: '/menus/today' },
      { type: 'text', text: 'javascript: the good parts' },
    ],
  }
  const id = await made(ours.token, { content })
  assert.equal((await news('GET', `/pages/${id}`, ours.token)).body['content'], content)
  for (const url of ['javascript:alert(1)', 'vbscript:x', 'data:text/html,<script>', ' JAVA\tSCRIPT:alert(1)']) {
    const body = { workspaceId: ours.workspace, title: 'T', content: { blocks: [{ url }] } }
    const refused = await news('POST', '/pages', ours.token, body)
    assert.equal([refused.status, refused.body['error']?.[0]?.['path']], [400, 'content.blocks[0].url'], url)
    const changed = await news('PATCH', `/pages/${id}`, ours.token, { content: body.content })
    assert.equal([changed.status, changed.body['error']?.[0]?.['path']], [400, 'content.blocks[0].url'], url)
  }
})

test('drafts, which have no publication date, are listed by creation time', async () => {
  const titles = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']
  for (const title of titles) {
    await made(ours.token, { title })
    // Times have milliseconds, and ids within a second are unordered.
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  for (const [sortOrder, wanted] of [
    ['asc', titles],
    ['desc', titles.toReversed()],
  ] as const) {
    const query = `workspaceId=${ours.workspace}&status=draft&sortOrder=${sortOrder}`
    const { body } = await news('GET', `/pages?${query}`, ours.token)
    const listed = (body['data'] as unknown as Json[])
      .map(page => String(page['title']))
      .filter(title => titles.includes(title))
    assert.equal(listed, wanted)
  }
})

test('a deleted comment with replies is an object without text, id and names', async () => {
  const pageId = await published(ours.token)
  const comment = async (parentId?: string) =>
    (await news('POST', '/comments', reader.token, { pageId, content: 'Bon appétit', parentId })).body['id']
  const id = String(await comment())
  await comment(id)
  assert.is((await news('DELETE', `/comments/${id}`, reader.token)).status, 200)
  const [shown] = (await news('GET', `/comments/page/${pageId}`, ours.token)).body['data'] as unknown as Json[]
  assert.equal(
    [shown?.['isDeleted'], shown?.['content'], shown?.['member']],
    [true, '', { id: null, firstName: null, lastName: null, photo_url: null }],
  )
})

test('a deactivated or deleted author keeps their names, and an erased one is an object without names', async () => {
  const who = await at.settle(ours, 'old', ['Odile', 'Vieux'], ours.workspace, 'writer')
  const id = await published(ours.token)
  assert.is((await news('POST', '/comments', who.token, { pageId: id, content: 'Bon appétit' })).status, 201)
  assert.is((await news('POST', '/likes', who.token, { pageId: id, reactionType: 'love' })).status, 201)
  const shown = async () => {
    const comments = await news('GET', `/comments/page/${id}`, reader.token)
    const likes = await news('GET', `/likes/page/${id}`, reader.token)
    return [comments.body['data']?.[0]?.['member'], likes.body['members']?.[0]?.['member']].map(one => [
      one?.['id'],
      one?.['firstName'],
      one?.['lastName'],
    ])
  }
  const [named, nameless] = [
    [who.id, 'Odile', 'Vieux'],
    [who.id, null, null],
  ]
  const path = `/members/update/${who.id}`
  assert.is((await at.member('PATCH', path, ours.token, { isActive: false })).status, 200)
  await eventually(async () => (await news('GET', `/comments/page/${id}`, who.token)).status !== 200)
  assert.equal(await shown(), [named, named])
  assert.is((await at.member('DELETE', `/members/delete/${who.id}`, at.root)).status, 200)
  await eventually(async () => (await at.member('GET', `/members/get/${who.id}`, at.root)).status === 404)
  assert.equal(await shown(), [named, named])
  const erased = await at.member('DELETE', `/members/erase/${who.id}`, at.root)
  assert.is(erased.status, 200, JSON.stringify(erased.body))
  await eventually(async () => JSON.stringify(await shown()) === JSON.stringify([nameless, nameless]))
})

test.run()
