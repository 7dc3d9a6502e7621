import { call, type Json } from '../../cli/tour/client.ts'
import { addressOf } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses, type SharedPerson } from '../kit/platform/shared-person.ts'

/** How people join a workspace, what others are shown of it, and what remains when they leave, over HTTP. */
const test = suite('colleagues over HTTP')
let platform: Platform
let at: Houses
let ours: House
let theirs: House

test.before(async () => {
  platform = await sharedPlatform()
  at = await houses(platform)
  ours = await at.house('Le Phare', 'ada')
  theirs = await at.house('Autre', 'eve')
})
const inboxOf = async ({ token }: Pick<SharedPerson, 'token'>): Promise<{ titles: string[]; unread: number }> => {
  const { status, body } = await call(platform.urls, 'notification', 'GET', '/api/v1/notifications?limit=100', {
    token,
  })
  assert.is(status, 200, JSON.stringify(body))
  const titles = (body['data'] as unknown as Json[]).map(one => `${one['type']}: ${one['title']} ${one['body']}`)
  return { titles, unread: Number(body['meta']?.['unread']) }
}
let people = 0
const newcomer = () => ({
  email: addressOf(at.world, `new${++people}`),
  firstName: 'Noé',
  lastName: 'Neuf',
  workspaceId: ours.workspace,
})

test('manage_members or invite_members alone is sufficient for the role member, and for no other', async () => {
  for (const [name, slug] of [
    ['Doorkeeper', 'manage_members'],
    ['Inviter', 'invite_members'],
  ])
    assert.is(
      (await at.member('POST', '/roles', ours.token, { workspaceId: ours.workspace, name, permissions: [slug] }))
        .status,
      201,
    )
  const keeper = await at.settle(ours, 'kip', ['Kip', 'Porte'], ours.workspace, 'doorkeeper')
  const inviter = await at.settle(ours, 'iva', ['Iva', 'Invite'], ours.workspace, 'inviter')
  const viewer = await at.settle(ours, 'vic', ['Vic', 'View'])
  const add = (token: string, more: object = {}) => at.member('POST', '/members', token, { ...newcomer(), ...more })
  const invite = (token: string, more: object = {}) =>
    at.member('POST', '/onboarding/invite', token, { ...newcomer(), workspaceRole: 'member', permissions: [], ...more })
  const plain = await add(keeper.token)
  assert.equal([plain.status, plain.body['workspaces']?.[0]?.['workspaceRole']], [201, 'member'])
  assert.is((await invite(inviter.token)).status, 201)
  const refused = [
    await add(keeper.token, { workspaceRole: 'manager' }),
    await invite(inviter.token, { workspaceRole: 'admin' }),
    await invite(inviter.token, { permissions: ['access_chat'] }),
    await add(viewer.token),
    await invite(viewer.token),
    await add(theirs.token),
    await invite(theirs.token),
  ]
  assert.equal(
    refused.map(answer => answer.status),
    refused.map(() => 403),
  )
})

test('teams, departments and workspaces may share a name, and departments a code', async () => {
  const workspaceId = ours.workspace
  const twins: [path: string, body: object][] = [
    ['/teams', { workspaceId, name: 'Night' }],
    ['/departments', { workspaceId, name: 'Floor', code: 'FLR' }],
    ['/workspaces', { name: 'Annexe', ecosystemId: ours.ecosystem }],
  ]
  for (const [path, body] of twins) {
    const answers = [await at.member('POST', path, ours.token, body), await at.member('POST', path, ours.token, body)]
    assert.equal(
      answers.map(answer => answer.status),
      [201, 201],
      `${path} ${JSON.stringify(answers[1]?.body)}`,
    )
    assert.is.not(answers[0]?.body['id'], answers[1]?.body['id'])
    assert.is((await at.member('POST', path, theirs.token, body)).status, 403, path)
  }
})

test('a new member causes one entry for each colleague, and none for themselves', async () => {
  const colleague = await at.settle(ours, 'cole', ['Cole', 'Ami'])
  const before = (await inboxOf(colleague)).titles
  const arrived = await at.settle(ours, 'nina', ['Nina', 'Neuve'])
  const about = async (who: SharedPerson) => (await inboxOf(who)).titles.filter(text => text.includes('Nina'))
  await eventually(async () => (await about(colleague)).length > 0)
  // The notification of a later arrival proves that all earlier ones were delivered.
  await at.settle(ours, 'zoe', ['Zoé', 'Zut'])
  await eventually(async () => (await inboxOf(colleague)).titles.some(text => text.includes('Zoé')))
  assert.equal([(await about(colleague)).length, await about(arrived)], [1, []], before.join())
})

test('a removed member no longer sees the hotel, in lists and in totals', async () => {
  const gone = await at.settle(ours, 'gone', ['Guy', 'Parti'])
  const stays = await at.settle(ours, 'stay', ['Sam', 'Reste'])
  const page = { workspaceId: ours.workspace, title: 'Brunch', content: {}, status: 'published' }
  const { status, body } = await call(platform.urls, 'news', 'POST', '/api/v1/pages', { token: ours.token, body: page })
  assert.is(status, 201, JSON.stringify(body))
  for (const who of [gone, stays])
    await eventually(async () => (await inboxOf(who)).titles.some(text => text.includes('Brunch')))
  const path = `/workspaces/${ours.workspace}/remove-member/${gone.id}`
  assert.is((await at.member('DELETE', path, ours.token)).status, 200)
  const notifications = (way: string, token: string) =>
    call(platform.urls, 'notification', 'GET', `/api/v1/notifications${way}`, { token })
  await eventually(async () => {
    const list = await notifications('', gone.token)
    // A person without any workspace may get a 403; both answers show nothing.
    return list.status === 403 || Number(list.body['meta']?.['total']) === 0
  })
  const count = await notifications('/unread-count', gone.token)
  assert.ok(count.status === 403 || Number(count.body['count']) === 0, JSON.stringify(count.body))
  assert.ok((await inboxOf(stays)).unread > 0)
})

test.run()
