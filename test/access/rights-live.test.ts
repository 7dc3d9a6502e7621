import { once } from 'node:events'
import { WebSocket } from 'ws'
import { call, type LooseJson, type Urls } from '../../cli/tour/client.ts'
import { openSocket, type Socket } from '../../cli/tour/socket.ts'
import { addressOf, expect, password, takeUpInvitation } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { secondEdge } from '../kit/platform/second-edge.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'

/** Decisions made at one process apply at the other: over REST and to open sockets. */
const test = suite('rights across two edge processes')
let platform: Platform
let other: { urls: Urls; stop(): Promise<void> }
let hotels: TwoHotels
let pam: { token: string; memberId: string }
let role: string

test.before(async () => {
  platform = await sharedPlatform()
  other = await secondEdge(platform)
  hotels = await twoHotels(platform)
  const email = addressOf(hotels.world, 'pam')
  const { workspace: workspaceId } = hotels.ownHotel
  const permissions = ['view_members', 'view_reports']
  role = String((await asAda('POST', '/roles', { workspaceId, name: 'Porter', permissions }, 201))['id'])
  const invitation = {
    email,
    firstName: 'Pam',
    lastName: 'Porter',
    workspaceId,
    workspaceRole: 'porter',
    permissions: [],
  }
  await asAda('POST', '/onboarding/invite', invitation, 201)
  const token = await takeUpInvitation(hotels.world, email)
  const me = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token })
  pam = { token, memberId: String(me['memberId']) }
})
test.after(async () => {
  await other?.stop()
})

const asAda = (method: string, path: string, body?: object, status = 200): Promise<LooseJson> =>
  expect(hotels.world, status, 'member', method, path, { token: hotels.ownHotel.token, ...(body ? { body } : {}) })

/** The answers that Pam gets from both processes. */
const asPam = (path: string): Promise<string[]> =>
  Promise.all(
    [platform.urls, other.urls].map(async urls => {
      const { status, body } = await call(urls, 'member', 'GET', path, { token: pam.token })
      return status === 200 ? '200' : `${status} ${body['message']}`
    }),
  )
const bothAnswer = (path: string, expectedAnswer: string) =>
  eventually(async () => (await asPam(path)).every(one => one === expectedAnswer)).catch(async () =>
    assert.equal(await asPam(path), [expectedAnswer, expectedAnswer]),
  )

/** Pam's sockets at both processes, in the workspace's room and her own. */
async function socketsOfPam(): Promise<Socket[]> {
  const sockets = await Promise.all([platform, other].map(({ urls }) => openSocket(urls.member, pam.token)))
  for (const socket of sockets) {
    await socket.ask('joinWorkspaces', [hotels.ownHotel.workspace])
    await socket.ask('joinMember', pam.memberId)
  }
  return sockets
}

test('a slug removed from a role closes what it opened, and the sockets of its holders are notified', async () => {
  const path = `/audit/workspace/${hotels.ownHotel.workspace}`
  const sockets = await socketsOfPam()
  await bothAnswer(path, '200')
  await asAda('DELETE', `/roles/${role}/remove-permission/view_reports`)
  await bothAnswer(path, '403 Permission denied')
  for (const socket of sockets) {
    const { data } = await socket.next('role:updated')
    assert.equal(
      [data['memberId'], data['workspaceRole'], data['permissions']],
      [pam.memberId, 'porter', ['view_members']],
    )
  }
  await asAda('POST', `/roles/${role}/add-permission`, { permissionSlug: 'view_reports' }, 201)
  await bothAnswer(path, '200')
  for (const socket of sockets) socket.close()
})

test('a suspended member leaves the rooms on both processes, and can join again after the reactivation', async () => {
  const { workspace } = hotels.ownHotel
  const sockets = await socketsOfPam()
  await asAda('POST', `/workspaces/${workspace}/suspend-member/${pam.memberId}`, {})
  await bothAnswer(`/workspaces/get/${workspace}`, '403 Workspace access denied')
  for (const socket of sockets) {
    await eventually(() =>
      socket.frames.some(one => one.event === 'room:left' && one.data['room'] === `workspace:${workspace}`),
    )
    const refusal = await socket.ask('joinWorkspaces', [workspace]).catch((error: Error) => error.message)
    assert.match(String(refusal), /joinWorkspaces refused/)
  }
  await asAda('POST', `/workspaces/${workspace}/reactivate-member/${pam.memberId}`, {})
  await bothAnswer(`/workspaces/get/${workspace}`, '200')
  for (const socket of sockets) {
    await eventually(() => socket.ask('joinWorkspaces', [workspace]))
    socket.close()
  }
})

test('an ecosystem right opens and closes on both processes', async () => {
  const { ecosystem } = hotels.ownHotel
  const path = `/members/get/by/hotel_id/${ecosystem}`
  const right = `/permissions/member/${pam.memberId}/ecosystem/${ecosystem}`
  await bothAnswer(path, '403 Permission denied')
  const granted = await asAda('PATCH', right, { permissions: ['manage_ecosystem'] })
  assert.equal(granted['permissions'], ['manage_ecosystem'])
  await bothAnswer(path, '200')
  await asAda('PATCH', right, { permissions: [] })
  await bothAnswer(path, '403 Permission denied')
})

/** A new member of the hotel with an open socket at both processes. */
async function newcomer(name: string) {
  const email = addressOf(hotels.world, name)
  const { workspace: workspaceId } = hotels.ownHotel
  const body = { email, firstName: 'New', lastName: 'Comer', workspaceId, workspaceRole: 'viewer', permissions: [] }
  await asAda('POST', '/onboarding/invite', body, 201)
  const token = await takeUpInvitation(hotels.world, email)
  const { id: userId, memberId } = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token })
  const sockets = await Promise.all([platform, other].map(({ urls }) => openSocket(urls.notification, token)))
  return { token, email, userId: String(userId), memberId: String(memberId), sockets }
}

const leavers: [
  departure: string,
  name: string,
  leave: (person: Awaited<ReturnType<typeof newcomer>>) => Promise<unknown>,
][] = [
  [
    'leaves the only workspace',
    'lee',
    ({ token }) =>
      expect(hotels.world, 200, 'member', 'POST', `/workspaces/${hotels.ownHotel.workspace}/leave`, {
        token,
        body: {},
      }),
  ],
  [
    'is removed from the only workspace',
    'rem',
    ({ memberId }) => asAda('DELETE', `/workspaces/${hotels.ownHotel.workspace}/remove-member/${memberId}`),
  ],
  ['is deleted as a member', 'mem', ({ memberId }) => asAda('DELETE', `/members/delete/${memberId}`)],
  [
    'deletes the account',
    'dee',
    ({ token }) => expect(hotels.world, 200, 'auth', 'DELETE', '/users/me', { token, body: { password } }),
  ],
  [
    'has the account deleted by the legacy route',
    'leg',
    ({ email }) =>
      expect(hotels.world, 200, 'legacyauth', 'DELETE', `/auth/delete/${encodeURIComponent(email)}`, {
        token: hotels.root,
      }),
  ],
]
for (const [departure, name, leave] of leavers)
  test(`the sockets of a person who ${departure} are closed with 4401 on both processes, and those of others stay open`, async () => {
    const [leaver, otherSocket] = [
      await newcomer(name),
      await openSocket(platform.urls.notification, hotels.ownHotel.token),
    ]
    await leave(leaver)
    assert.equal(await Promise.all(leaver.sockets.map(({ closed }) => closed)), [4401, 4401])
    await otherSocket.ask('ping', undefined)
    otherSocket.close()
  })

test('a deactivated workspace is closed to its members on both processes, and opens again', async () => {
  const { workspace } = hotels.ownHotel
  const inboxOfAda = async () => {
    const { token } = hotels.ownHotel
    const { meta } = await expect(hotels.world, 200, 'notification', 'GET', '/api/v1/notifications', { token })
    return Number((meta as LooseJson)['total'])
  }
  await eventually(async () => (await inboxOfAda()) > 0)
  await asAda('PATCH', `/workspaces/update/${workspace}`, { isActive: false })
  await bothAnswer(`/workspaces/get/${workspace}`, '403 Workspace access denied')
  // Its administrators still read it, but its notifications are nobody's [R33].
  await eventually(async () => (await inboxOfAda()) === 0)
  await asAda('PATCH', `/workspaces/update/${workspace}`, { isActive: true })
  await bothAnswer(`/workspaces/get/${workspace}`, '200')
  await eventually(async () => (await inboxOfAda()) > 0)
})

test('the sockets of a deactivated person are closed on both processes, as for a person without access', async () => {
  const sockets = [platform, other].map(
    ({ urls }) =>
      new WebSocket(`${urls.member.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${pam.token}` } }),
  )
  await Promise.all(sockets.map(socket => once(socket, 'open')))
  const closeCodes = sockets.map(async socket => Number((await once(socket, 'close'))[0]))
  await asAda('PATCH', `/members/update/${pam.memberId}`, { isActive: false })
  for (const code of await Promise.all(closeCodes)) assert.ok(code === 4401 || code === 4403, `${code}`)
  await eventually(async () =>
    (await asPam(`/workspaces/get/${hotels.ownHotel.workspace}`)).every(one => /^40[13] /.test(one)),
  )
})

test.run()
