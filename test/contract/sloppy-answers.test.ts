import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call, type RouteAnswer } from '../../cli/tour/client.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { pathsOf, short } from '../kit/requests/probing.ts'

/* What untidy clients get: what is stored of their requests, and how it is returned. */
const test = suite('answers to untidy clients')
const platform = await sharedPlatform()
let hotels: TwoHotels

test.before(async () => {
  hotels = await twoHotels(platform)
})

const ask = (service: RestService, method: string, path: string, body?: unknown, token = hotels.ownHotel.token) =>
  call(platform.urls, service, method, path, { token, ...(body === undefined ? {} : { body }) })
const bodyOf = async (answer: Promise<RouteAnswer>, status = 200): Promise<RouteAnswer['body']> => {
  const routeAnswer = await answer
  assert.is(routeAnswer.status, status, short(routeAnswer))
  return routeAnswer.body
}

test('a query with empty filters, numeric booleans and sort orders in capitals is answered like the tidy one', async () => {
  const { workspace } = hotels.ownHotel
  const page = await bodyOf(
    ask('news', 'GET', `/api/v1/pages?workspaceId=${workspace}&status=&search=&limit=&sortOrder=ASC`),
  )
  assert.equal(page['meta'], { total: 0, page: 1, limit: 20, totalPages: 0 })
  const active = await bodyOf(
    ask('member', 'GET', `/members/get/all?isActive=1&workspaceId=${workspace.toUpperCase()}`),
  )
  const resting = await bodyOf(ask('member', 'GET', '/members/get/all?isActive=FALSE'))
  assert.equal([active['meta']['total'], resting['meta']['total']], [2, 0])
  const beyond = await bodyOf(ask('member', 'GET', '/members/get/all?page=2000000'))
  assert.equal([beyond['data'], beyond['meta']['page']], [[], 2_000_000])
})

test('meta of reactions and comments describes the returned part', async () => {
  const workspaceId = hotels.ownHotel.workspace
  const page = await bodyOf(
    ask('news', 'POST', '/api/v1/pages', { workspaceId, title: 'T', content: {}, status: 'published' }),
    201,
  )
  const pageId = page['id']
  for (const content of ['a', 'b'])
    await bodyOf(ask('news', 'POST', '/api/v1/comments', { pageId, content, parentId: '' }), 201)
  await bodyOf(ask('news', 'POST', '/api/v1/likes', { pageId, reactionType: 'love' }), 201)
  const comments: { data: object[]; total: number; meta: { totalPages: number } } = await bodyOf(
    ask('news', 'GET', `/api/v1/comments/page/${pageId}?page=2&limit=1`),
  )
  assert.equal([comments.data.length, comments.total, comments.meta.totalPages], [1, 2, 2])
  const likes: { meta: object } = await bodyOf(ask('news', 'GET', `/api/v1/likes/page/${pageId}`))
  assert.equal(likes.meta, { total: 1, page: 1, limit: 20, totalPages: 1 })
})

test('a PATCH returns cleared fields as null', async () => {
  const id = hotels.ownHotel.ecosystem
  const change = { city: null, phone: '', website: 'https://a.example' }
  const hotel: { updatedAt: string } = await bodyOf(ask('hotel', 'PATCH', `/hotel/update/${id}`, change))
  const { updatedAt: _at, ...rest }: Record<string, unknown> = hotel
  assert.equal(rest, { id, city: null, phone: null, website: 'https://a.example' })
})

test('ids in capitals are returned in lower case', async () => {
  const { workspace } = hotels.ownHotel
  const team = await bodyOf(
    ask('member', 'POST', '/Teams/', { workspaceId: workspace.toUpperCase(), name: 'Desk', color: '#abc' }),
    201,
  )
  assert.equal([team['workspaceId'], team['color']], [workspace, '#abc'])
  const path = `/teams/update/${String(team['id']).toUpperCase()}`
  assert.equal((await bodyOf(ask('member', 'PATCH', path, { icon: 'bell' })))['id'], team['id'])
})

test('an e-mail address is stored and found without surrounding blanks', async () => {
  const { workspace } = hotels.ownHotel
  const email = `blank.${hotels.world.run}@phare.example`
  const body = {
    firstName: 'B',
    lastName: 'B',
    email: ` ${email}\n`,
    workspaceId: workspace,
    workspaceRole: 'viewer',
    photo_url: '',
  }
  const member = await bodyOf(ask('member', 'POST', '/members/', body), 201)
  assert.equal([member['email'], member['photo_url']], [email, null])
  await bodyOf(ask('member', 'GET', `/members/get/with/%20${email}%20`))
  const person = {
    email: ` blank.user.${hotels.world.run}@phare.example `,
    password: 'correct horse 7',
    confirmPassword: 'correct horse 7',
  }
  const { user } = await bodyOf(ask('auth', 'POST', '/auth/register', person, ''), 201)
  assert.is(user?.['email'], person.email.trim())
  await bodyOf(ask('auth', 'POST', '/auth/login', { ...person, email: `\t${person.email}`, deviceId: 'd' }, ''))
})

test('an empty text in a PATCH clears, and a required field is named', async () => {
  const { workspace } = hotels.ownHotel
  const team = await bodyOf(
    ask('member', 'POST', '/teams', { workspaceId: workspace, name: 'Bar', description: 'D', leaderId: '' }),
    201,
  )
  assert.is(team['leaderId'], null)
  const path = `/teams/update/${team['id']}`
  assert.is((await bodyOf(ask('member', 'PATCH', path, { description: '' })))['description'], null)
  assert.equal(pathsOf(await ask('member', 'PATCH', path, { name: '' })), ['name'])
})

test('slugs keep underscores and capitals, orders can be negative, codes long', async () => {
  const { workspace } = hotels.ownHotel
  const category = { workspaceId: workspace, name: 'News', slug: 'Staff_News', order: -3, color: '#FFF' }
  const createdCategory = await bodyOf(ask('news', 'POST', '/api/v1/categories', category), 201)
  assert.equal(
    [createdCategory['slug'], createdCategory['order'], createdCategory['color']],
    ['Staff_News', -3, '#FFF'],
  )
  const role = await bodyOf(
    ask('member', 'POST', '/roles', { workspaceId: workspace, name: 'Bell', slug: 'Bell_Boy', permissions: [] }),
    201,
  )
  assert.is(role['slug'], 'Bell_Boy')
  assert.is(
    (await ask('member', 'POST', '/roles', { workspaceId: workspace, name: 'A', slug: 'ADMIN', permissions: [] }))
      .status,
    409,
  )
  const permission = { slug: `Bell_Desk-${hotels.world.run}`, name: 'Bells', level: 'workspace', action: 'read' }
  const { slug } = await bodyOf(
    ask('member', 'POST', '/permissions', { category: 'members', resource: 'member', ...permission }, hotels.root),
    201,
  )
  const key = { ecosystemId: hotels.ownHotel.ecosystem, permissions: [slug] }
  assert.equal((await bodyOf(ask('auth', 'POST', '/ecosystem/credentials', key, hotels.root), 201))['permissions'], [
    permission.slug,
  ])
  const code = 'DEP-'.repeat(30)
  assert.is(
    (await bodyOf(ask('member', 'POST', '/departments', { workspaceId: workspace, name: 'Rooms', code }), 201))['code'],
    code,
  )
})

test('a notification of the system has an actor without id and names', async () => {
  const message = { workspaceId: hotels.ownHotel.workspace, toAll: true, title: 'Fire drill', body: 'At noon' }
  await call(platform.urls, 'notification', 'POST', '/api/v1/notifications', { key: hotels.apiKey, body: message })
  const { data }: { data: { title: string; actor: object }[] } = await bodyOf(
    ask('notification', 'GET', '/api/v1/notifications'),
  )
  const actor = { id: null, firstName: null, lastName: null, photo_url: null }
  assert.equal(data.find(({ title }) => title === message.title)?.actor, actor)
})

test('documents of office programs are media of pages, and do-not-disturb can last for decades', async () => {
  const { workspace } = hotels.ownHotel
  const type = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
  const page = { workspaceId: workspace, title: 'T', content: {}, medias: [{ fileUrl: '/menu.pptx', type }] }
  const createdPage = await bodyOf(ask('news', 'POST', '/api/v1/pages', { ...page, status: 'published' }), 201)
  assert.is(createdPage['medias'][0]?.['type'], type)
  const quiet = (duration: number) =>
    bodyOf(ask('notification', 'POST', '/api/v1/preferences/do-not-disturb', { duration }, hotels.viewer))
  assert.ok(String((await quiet(2_000_000_000))['dndUntil']) > '2080')
  assert.is((await quiet(0))['dndUntil'], null)
})

test('values in other forms are stored in one', async () => {
  const profile = { language: 'ZH_hant', check_in_time: '9:30:00', check_out_time: '11:00:00', primary_color: '1e40af' }
  const setting = await bodyOf(ask('hotel', 'POST', '/setting/add', profile, hotels.root), 201)
  assert.equal(
    ['language', 'check_in_time', 'check_out_time', 'primary_color'].map(name => setting[name]),
    ['zh-Hant', '09:30', '11:00', '#1e40af'],
  )
  const device = { deviceToken: `t${hotels.world.run}`, platform: 'fcm', deviceType: 'android' }
  const subscription = await bodyOf(
    ask('notification', 'POST', '/api/v1/subscriptions', { ...device, osVersion: 34, appVersion: 2.5 }),
    201,
  )
  assert.equal([subscription['osVersion'], subscription['appVersion']], ['34', '2.5'])
  await bodyOf(ask('notification', 'DELETE', `/api/v1/subscriptions/${device.deviceToken}`))
})

test('a hotel needs no plan, and a record no tenant where the caller has one', async () => {
  const { workspace, ecosystem } = hotels.ownHotel
  const page = await bodyOf(
    ask('news', 'POST', '/api/v1/pages', { workspaceId: workspace, title: 'T', content: {} }),
    201,
  )
  const records: [service: RestService, path: string, body: object][] = [
    ['member', '/teams/', { name: 'Desk' }],
    ['news', '/api/v1/categories', { name: `Own ${hotels.world.run}`, workspaceId: '' }],
    ['news', '/api/v1/templates', { name: 'Own', content: {}, workspaceId: null }],
    ['news', '/api/v1/pins', { pageId: page['id'] }],
  ]
  for (const [service, path, body] of records)
    assert.is((await bodyOf(ask(service, 'POST', path, body), 201))['workspaceId'], workspace, path)
  const { ecosystemId } = await bodyOf(ask('member', 'POST', '/workspaces/', { name: 'Annex' }), 201)
  assert.is(ecosystemId, ecosystem)
  assert.equal(pathsOf(await ask('member', 'POST', '/teams/', { name: 'Desk' }, hotels.root)), ['workspaceId'])
  const administrator = { email: `plan.${hotels.world.run}@phare.example`, firstName: 'P', lastName: 'P' }
  const hotel = { name: `Plan ${hotels.world.run}`, administrator, subscription: {} }
  assert.is(
    (await bodyOf(ask('hotel', 'POST', '/hotel/add', hotel, hotels.root), 201))['subscription_status'],
    'active',
  )
})

test('a non-ASCII User-Agent is stored as it was sent', async () => {
  const name = 'Hôtel Été/1.0 🛎'
  const headers = { 'user-agent': Buffer.from(name).toString('latin1') }
  const { email, password } = platform.administrator
  await call(platform.urls, 'auth', 'POST', '/auth/login', { body: { email, password }, headers })
  const { data } = await bodyOf(ask('auth', 'GET', '/users/me/sessions', undefined, hotels.root))
  assert.ok(JSON.stringify(data).includes(name), JSON.stringify(data))
})

test.run()
