import { call, type LooseJson } from '../../cli/tour/client.ts'
import { assert, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses, type SharedPerson } from '../kit/platform/shared-person.ts'

/** Pages and their authors over HTTP. */
const test = suite('pages over HTTP')
let platform: Platform
let hotels: Houses
let ownHotel: House
let author: SharedPerson

test.before(async () => {
  platform = await sharedPlatform()
  hotels = await houses(platform)
  ownHotel = await hotels.house('Le Phare', 'ada')
  const body = { workspaceId: ownHotel.workspace, name: 'Writer', permissions: ['create_content'] }
  assert.is((await hotels.member('POST', '/roles', ownHotel.token, body)).status, 201)
  author = await hotels.settle(ownHotel, 'wes', ['Wes', 'Plume'], ownHotel.workspace, 'writer')
})
const news = (method: string, path: string, token: string, body?: object) =>
  call(platform.urls, 'news', method, `/api/v1${path}`, { token, ...(body === undefined ? {} : { body }) })
async function createPage(token: string, overrides: object = {}): Promise<string> {
  const { status, body } = await news('POST', '/pages', token, {
    workspaceId: ownHotel.workspace,
    title: 'Menu',
    content: {},
    ...overrides,
  })
  assert.is(status, 201, JSON.stringify(body))
  return String(body['id'])
}
const publishPage = (token: string, overrides: object = {}) => createPage(token, { status: 'published', ...overrides })

/** Each object in an answer, with the ids printed beside it. */
const idsBeside = (value: unknown): [siblingId: unknown, objectId: unknown][] => {
  if (Array.isArray(value)) return value.flatMap(idsBeside)
  if (typeof value !== 'object' || value === null) return []
  const record = value as Record<string, { id?: string } | null>
  const pairs = Object.entries({ parent: 'parentId', category: 'categoryId', createdBy: 'createdById' }).flatMap(
    ([object, id]): [unknown, unknown][] => (object in record ? [[record[id], record[object]?.id ?? null]] : []),
  )
  const ofComment: [unknown, unknown][] = [
    [record['memberId'], record['member']?.id ?? null],
    [record['workspaceId'], ownHotel.workspace],
  ]
  return [...pairs, ...('replies' in record ? ofComment : []), ...Object.values(record).flatMap(idsBeside)]
}

test('every answer with pages or comments prints ids beside the objects that it has', async () => {
  const { workspace: workspaceId, token } = ownHotel
  const body = { workspaceId, name: 'News' }
  const categoryId = String((await news('POST', '/categories', token, body)).body['id'])
  const template = await news('POST', '/templates', token, { workspaceId, name: 'T', content: { a: 1 } })
  const parentId = await publishPage(token)
  const page = { workspaceId, title: 'Spa', content: {}, parentId, categoryId, status: 'published' }
  const id = await createPage(token, page)
  const commentId = String((await news('POST', '/comments', token, { pageId: id, content: 'Bon' })).body['id'])
  const [revision] = (await news('GET', `/pages/${id}/revisions`, token)).body['data'] as unknown as LooseJson[]
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
  for (const [method, path, input, objects] of routes) {
    const answer = await news(method, path, token, input)
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    const idPairs = idsBeside(answer.body)
    assert.is(idPairs.length, objects, `${method} ${path}`)
    for (const [siblingId, objectId] of idPairs) assert.is(siblingId, objectId, `${method} ${path}`)
  }
  const [root] = [await createPage(token)]
  const { body: bare } = await news('GET', `/pages/${root}`, token)
  assert.equal([bare['parentId'], bare['categoryId']], [null, null])
})

test('an author who cannot read the page above sends back parentId null, and the page stays below it', async () => {
  const above = await publishPage(ownHotel.token)
  const id = await createPage(author.token, { parentId: above })
  assert.is((await news('POST', `/pages/${above}/unpublish`, ownHotel.token)).status, 200)
  const { body } = await news('GET', `/pages/${id}`, author.token)
  assert.equal([body['parent'], body['parentId']], [null, null])
  const answer = await news('PATCH', `/pages/${id}`, author.token, { ...(body as object), title: 'Carte' })
  assert.is(answer.status, 200, JSON.stringify(answer.body))
  const { body: storedPage } = await news('GET', `/pages/${id}`, ownHotel.token)
  assert.equal([storedPage['parentId'], storedPage['title']], [above, 'Carte'])
})

test.run()
