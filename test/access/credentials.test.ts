import { connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Call, call, invitationToken, type RouteAnswer } from '../../cli/tour/client.ts'
import { addressOf, expect, password } from '../../cli/tour/world.ts'
import { permissionCatalogue } from '../../services/member/rights/catalogue.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { compareCredentials } from '../kit/requests/credentials.ts'
import { messageOf, short } from '../kit/requests/probing.ts'

/** What an ecosystem credential may access on its owner's behalf [R1], and how keys and tokens combine. */
const test = suite('credentials')
const platform = await sharedPlatform()
let hotels: TwoHotels
let owner: { id: string; memberId: string; email: string }
let pair: Record<string, string>
let keyId: string

type Service = Parameters<typeof call>[1]
const byPair = (service: Service, verb: string, path: string, body?: unknown): Promise<RouteAnswer> =>
  call(platform.urls, service, verb, path, { headers: pair, ...(body === undefined ? {} : { body }) })
/** The headers of a new credential, made by the holder of a token. */
async function credentialOf(token: string, ecosystemId: string, permissions: string[]) {
  const body = { ecosystemId, permissions }
  const credential = await expect(hotels.world, 201, 'auth', 'POST', '/ecosystem/credentials', { token, body })
  return { headers: { 'x-api-key': String(credential['apiKey']), 'x-api-secret': String(credential['apiSecret']) } }
}
const asOwner = (status: number, service: Service, verb: string, path: string, body?: unknown) =>
  expect(hotels.world, status, service, verb, path, {
    token: hotels.ownHotel.token,
    ...(body === undefined ? {} : { body }),
  })

test('a person administers one hotel, works in another, and creates a credential for the first', async () => {
  hotels = await twoHotels(platform)
  const me = await asOwner(200, 'auth', 'GET', '/users/me')
  owner = { id: String(me['id']), memberId: String(me['memberId']), email: addressOf(hotels.world, 'ada') }
  await expect(hotels.world, 201, 'member', 'POST', '/onboarding/invite', {
    token: hotels.otherHotel.token,
    body: { email: owner.email, workspaceId: hotels.otherHotel.workspace, workspaceRole: 'member', permissions: [] },
  })
  const invitation = await invitationToken(platform.sandboxUrl, owner.email, 2)
  await asOwner(200, 'member', 'POST', `/onboarding/accept/${invitation}`, {})
  const permissions = ['view_members', 'manage_members', 'remove_members', 'create_content', 'view_reports']
  const credential = await asOwner(201, 'auth', 'POST', '/ecosystem/credentials', {
    ecosystemId: hotels.ownHotel.ecosystem,
    permissions,
  })
  pair = { 'x-api-key': String(credential['apiKey']), 'x-api-secret': String(credential['apiSecret']) }
  keyId = String(credential['id'])
})

test('a credential cannot erase its owner, or read, export or change the owner’s own data', async () => {
  const { memberId, email } = owner
  const calls: [Service, string, string, unknown?][] = [
    ['member', 'DELETE', `/members/erase/${memberId}`],
    ['member', 'GET', `/export/member/${memberId}`],
    ['member', 'GET', `/members/get/with/${email}`],
    ['member', 'GET', '/workspaces/get/mine'],
    ['member', 'PATCH', `/settings/member/${memberId}/preferences`, { theme: 'dark' }],
    ['notification', 'GET', '/api/v1/notifications'],
    ['notification', 'POST', '/api/v1/notifications/read-all', {}],
    ['notification', 'POST', '/api/v1/preferences/global-silence', { enabled: true }],
    [
      'notification',
      'POST',
      '/api/v1/subscriptions',
      { deviceToken: 'a-device-of-a-program', platform: 'fcm', deviceType: 'web' },
    ],
    ['auth', 'GET', '/users/me'],
    ['auth', 'DELETE', '/users/me'],
    ['auth', 'GET', '/sessions'],
  ]
  for (const [service, verb, path, body] of calls) {
    const answer = await byPair(service, verb, path, body)
    assert.is(answer.status, 403, `${verb} ${path}: ${short(answer)}`)
  }
  const me = await asOwner(200, 'auth', 'GET', '/users/me')
  assert.is(me['email'], email)
})

test('the credential of an administrator administers nothing', async () => {
  const { workspace, ecosystem, token } = hotels.ownHotel
  const { headers } = await credentialOf(token, ecosystem, ['manage_members', 'manage_settings'])
  const made = await asOwner(201, 'member', 'POST', '/workspaces', { name: 'Annex', ecosystemId: ecosystem })
  for (const [verb, path, body] of [
    ['PATCH', `/workspaces/${workspace}/update-member/${owner.memberId}`, { isAdmin: false }],
    ['POST', `/workspaces/${workspace}/suspend-member/${owner.memberId}`, {}],
    ['DELETE', `/workspaces/delete/${made['id']}`, undefined],
  ] as const) {
    const answer = await call(platform.urls, 'member', verb, path, { headers, ...(body ? { body } : {}) })
    assert.is(answer.status, 403, `${verb} ${path}: ${short(answer)}`)
  }
})

test('a credential sees nothing of its owner’s other hotel', async () => {
  for (const path of [`/members/get/${owner.memberId}`, '/members/get/all', '/workspaces/get/all']) {
    const answer = await byPair('member', 'GET', path)
    assert.is(answer.status, 200, `${path}: ${short(answer)}`)
    assert.not.ok(JSON.stringify(answer.body).includes(hotels.otherHotel.workspace), path)
  }
  const foreign = await byPair('member', 'GET', `/workspaces/get/${hotels.otherHotel.workspace}`)
  assert.equal([foreign.status, messageOf(foreign)], [403, 'Workspace access denied'])
})

test('a page that a credential creates shows its owner as author and the credential in its revisions', async () => {
  const createdPage = await byPair('news', 'POST', '/api/v1/pages', {
    title: 'By a program',
    content: { blocks: [] },
    pageType: 'article',
    workspaceId: hotels.ownHotel.workspace,
  })
  assert.is(createdPage.status, 201, short(createdPage))
  assert.is(createdPage.body['createdBy']?.['id'], owner.memberId)
  const { data } = await asOwner(200, 'news', 'GET', `/api/v1/pages/${createdPage.body['id']}/revisions`)
  assert.equal([data?.[0]?.['createdBy']?.['id'], data?.[0]?.['credentialId']], [owner.memberId, keyId])
})

test('a credential that may create content sees no interactions of its owner', async () => {
  const { workspace: workspaceId } = hotels.ownHotel
  const body = { title: 'Seen by a program', content: {}, pageType: 'article', workspaceId, status: 'published' }
  const page = await asOwner(201, 'news', 'POST', '/api/v1/pages', body)
  const path = `/api/v1/pages/${page['id']}`
  await asOwner(201, 'news', 'POST', '/api/v1/likes', { pageId: page['id'], reactionType: 'love' })
  const comment = await asOwner(201, 'news', 'POST', '/api/v1/comments', { pageId: page['id'], content: 'Noted' })
  await asOwner(200, 'news', 'POST', `/api/v1/comments/${comment['id']}/like`)
  const { headers } = await credentialOf(hotels.ownHotel.token, hotels.ownHotel.ecosystem, [
    'create_content',
    'edit_content',
  ])
  const byKey = (verb: string, sent?: unknown, at = path) =>
    call(platform.urls, 'news', verb, at, { headers, ...(sent === undefined ? {} : { body: sent }) })
  for (const answer of [await byKey('GET'), await byKey('PATCH', { title: 'Still seen' })])
    assert.equal([answer.status, answer.body['userInteractions']?.['hasLiked']], [200, false], short(answer))
  const comments = await byKey('GET', undefined, `/api/v1/comments/page/${page['id']}`)
  assert.equal([comments.status, comments.body['data']?.[0]?.['hasLiked']], [200, false], short(comments))
})

test('a draft is open to the credential that created it, and closed to one without create_content', async () => {
  const body = { title: 'Mine', content: {}, pageType: 'article', workspaceId: hotels.ownHotel.workspace }
  const draft = await byPair('news', 'POST', '/api/v1/pages', body)
  const path = `/api/v1/pages/${draft.body['id']}`
  const read = await byPair('news', 'GET', path)
  assert.equal([read.status, read.body['viewCount']], [200, 0])
  const { headers } = await credentialOf(hotels.ownHotel.token, hotels.ownHotel.ecosystem, ['view_members'])
  assert.is((await call(platform.urls, 'news', 'GET', path, { headers })).status, 404)
})

test('the credential of a platform administrator, who is in no workspace, creates drafts and works on them', async () => {
  const { ecosystem: ecosystemId, workspace: workspaceId } = hotels.ownHotel
  const { headers } = await credentialOf(hotels.root, ecosystemId, ['create_content'])
  const ask = (status: number, verb: string, path: string, body?: unknown) =>
    expect(hotels.world, status, 'news', verb, path, { headers, ...(body === undefined ? {} : { body }) })
  const page = { title: 'By a program', content: {}, pageType: 'article', workspaceId }
  const foreign = await byPair('news', 'POST', '/api/v1/pages', page)
  await ask(404, 'GET', `/api/v1/pages/${foreign.body['id']}`)
  const template = await asOwner(201, 'news', 'POST', '/api/v1/templates', {
    workspaceId,
    name: 'Menu',
    content: {},
    pageType: 'article',
  })
  for (const [path, body] of [
    ['/api/v1/pages', page],
    [`/api/v1/pages/from-template/${template['id']}`, {}],
  ] as const) {
    const draft = `/api/v1/pages/${(await ask(201, 'POST', path, body))['id']}`
    await ask(200, 'GET', draft)
    await ask(200, 'PATCH', draft, { title: 'Carte' })
    await ask(200, 'DELETE', draft)
  }
})

test('the credential of a platform administrator creates members only where it carries the permission', async () => {
  const { ecosystem: ecosystemId, workspace: workspaceId } = hotels.ownHotel
  const email = addressOf(hotels.world, 'made-by-a-program')
  for (const [permissions, status] of [
    [['view_members', 'invite_members'], 403],
    [['view_members', 'manage_members'], 201],
  ] as const) {
    const { headers } = await credentialOf(hotels.root, ecosystemId, [...permissions])
    const ask = (verb: string, path: string, body?: object) =>
      call(platform.urls, 'member', verb, path, { headers, ...(body ? { body } : {}) })
    const creation = await ask('POST', '/members/', { email, firstName: 'Bo', lastName: 'Bell', workspaceId })
    assert.is(creation.status, status, short(creation))
    const list = await ask('GET', `/members/get/all?search=${encodeURIComponent(email)}`)
    const members = list.body['data'] as unknown as { id: string }[]
    assert.equal(
      members.map(one => one.id),
      status === 201 ? [creation.body['id']] : [],
    )
  }
})

test('a credential of a platform administrator and one of the hotel’s are answered alike on every route', async () => {
  const { ecosystem } = hotels.ownHotel
  const permissions = permissionCatalogue.map(one => one.slug)
  const pairs = await Promise.all(
    [hotels.ownHotel.token, hotels.root].map(token => credentialOf(token, ecosystem, permissions)),
  )
  const { problems, successes } = await compareCredentials(hotels, pairs)
  assert.equal(problems, [])
  assert.ok(successes > 90, `${successes}`)
})

test('a credential lists pages, and has read none of them', async () => {
  const list = `/api/v1/pages?workspaceId=${hotels.ownHotel.workspace}`
  const plain = await byPair('news', 'GET', list)
  assert.is(plain.status, 200, short(plain))
  for (const path of [
    `${list}&unread=true`,
    `/api/v1/views?workspaceId=${hotels.ownHotel.workspace}&pageId=${keyId}`,
  ]) {
    const answer = await byPair('news', 'GET', path)
    assert.is(answer.status, 403, `${path}: ${short(answer)}`)
  }
})

test('the audit names the credential beside its owner', async () => {
  const { workspace: workspaceId } = hotels.ownHotel
  const team = await byPair('member', 'POST', '/teams', { workspaceId, name: 'Programs' })
  assert.is(team.status, 201, short(team))
  const { data } = await asOwner(200, 'member', 'GET', `/audit/workspace/${workspaceId}?entity=team`)
  assert.equal([data?.[0]?.['actor']?.['id'], data?.[0]?.['actor']?.['credentialId']], [owner.memberId, keyId])
})

test('a right that the owner loses is lost for the credential', async () => {
  const { headers } = await credentialOf(hotels.root, hotels.ownHotel.ecosystem, ['view_members'])
  const list = (token: Call) =>
    call(platform.urls, 'member', 'GET', `/teams/workspace/${hotels.ownHotel.workspace}`, token)
  assert.is((await list({ headers })).status, 200)
  assert.is(
    (
      await call(platform.urls, 'member', 'POST', '/teams', {
        headers,
        body: { workspaceId: hotels.ownHotel.workspace, name: 'x' },
      })
    ).status,
    403,
  )
})

test('on routes for services a service key counts beside a person’s token', async () => {
  const { email, memberId } = owner
  const with403: [Service, string, string, unknown?][] = [
    ['member', 'PUT', '/members/registered/update', { memberId }],
    ['member', 'GET', `/members/get/light/${email}`],
    ['member', 'GET', `/members/get/by/hotel_id/${hotels.ownHotel.ecosystem}`],
    ['legacyauth', 'POST', '/auth/set-login-data', { userId: owner.id, isFirstLogin: false }],
  ]
  for (const [service, verb, path, body] of with403) {
    const options = { token: hotels.viewer, ...(body === undefined ? {} : { body }) }
    const tokenAnswer = await call(platform.urls, service, verb, path, options)
    assert.is(tokenAnswer.status, 403, `${path}: ${short(tokenAnswer)}`)
    const both = await call(platform.urls, service, verb, path, { ...options, key: hotels.apiKey })
    assert.ok(both.status < 300, `${path}: ${short(both)}`)
  }
})

test('an invalid key is a 401 whatever else is sent', async () => {
  const { token } = hotels.ownHotel
  const wrong = { 'x-api-key': 'not the key of this platform' }
  const wrongPair = { ...pair, 'x-api-secret': 'wrong' }
  for (const headers of [wrong, wrongPair]) {
    for (const [service, path] of [
      ['auth', '/users/me'],
      ['member', `/teams/workspace/${hotels.ownHotel.workspace}`],
      ['news', '/api/v1/pages'],
    ] as const)
      assert.is((await call(platform.urls, service, 'GET', path, { token, headers })).status, 401, path)
    const body = { email: owner.email, password }
    assert.is((await call(platform.urls, 'auth', 'POST', '/auth/login', { headers, body })).status, 401)
  }
})

test('an upload with an invalid key beside a valid token is refused before a byte is read', async () => {
  const { hostname, port } = new URL(platform.urls.media)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /media/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${hotels.ownHotel.token}\r\nX-API-Key: wrong\r\n` +
      'Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: 100000000\r\n\r\n',
  )
  const [first] = (await new Promise((resolve, reject) => {
    socket.once('data', data => resolve([String(data)]))
    socket.once('error', reject)
  })) as [string]
  socket.destroy()
  assert.match(first, /^HTTP\/1\.1 401 /)
})

test.run()
