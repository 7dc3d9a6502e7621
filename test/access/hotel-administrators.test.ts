import type { JsonObject } from '@bufbuild/protobuf'
import { call } from '../../cli/tour/client.ts'
import { openSocket } from '../../cli/tour/socket.ts'
import { addressOf, expect, takeUpInvitation } from '../../cli/tour/world.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { type SurfaceCall as Call, onEachSurface, rpcSurfaces } from '../kit/requests/surfaces.ts'

/** The routes of services that administrators of the platform or of the hotel may call too. */
const test = suite('routes of services, called by administrators')
const platform = await sharedPlatform()
const { getLightProfile, markRegistered } = ProfileService.method
const { addHotelMember } = HotelMemberService.method
let hotels: TwoHotels
/** The owner of our hotel. */
let ada: { memberId: string; email: string }
let viewerId: string
let people = 0

const light: Call = { verb: 'GET', path: ({ email }) => `/members/get/light/${email}`, method: getLightProfile }
const mark: Call = { verb: 'PUT', path: () => '/members/registered/update', method: markRegistered }
const add: Call = { verb: 'POST', path: () => '/members/add/hotel/member', method: addHotelMember }

type Cases = Record<string, [token: string, values: () => JsonObject]>

/** What refuses each case on each surface, or "ok". A refused value's field is told in the words of each surface. */
async function outcomes(operation: Call, cases: Cases) {
  const outcomesBySurface: Record<string, Record<string, string>> = {}
  for (const { surface, ask } of onEachSurface(platform, 'member', operation)) {
    outcomesBySurface[surface] = {}
    for (const [title, [token, values]] of Object.entries(cases)) {
      const { status, text } = await ask(token, values())
      outcomesBySurface[surface][title] = status < 300 ? 'ok' : status === 400 ? '400' : `${status} ${text}`
    }
  }
  return outcomesBySurface
}

const everywhere = (expectation: Record<string, string>) =>
  Object.fromEntries(['REST', ...rpcSurfaces].map(surface => [surface, expectation]))

const newPerson = (hotelId: string, overrides: JsonObject = {}) => ({
  email: addressOf(hotels.world, `new${++people}`),
  firstName: 'New',
  lastName: 'Person',
  hotelId,
  ...overrides,
})

const me = async (token: string) => {
  const { memberId, email } = await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token })
  return { memberId: String(memberId), email: String(email) }
}

test.before(async () => {
  hotels = await twoHotels(platform)
  ada = await me(hotels.ownHotel.token)
  viewerId = (await me(hotels.viewer)).memberId
})

test('a profile with its chat token is open to the platform alone', async () => {
  const { root, ownHotel, otherHotel, viewer } = hotels
  const values = () => ({ email: ada.email })
  assert.equal(
    await outcomes(light, {
      platform: [root, values],
      owner: [ownHotel.token, values],
      stranger: [otherHotel.token, values],
      viewer: [viewer, values],
      unknown: [root, () => ({ email: 'nobody@hotel.example' })],
    }),
    everywhere({
      platform: 'ok',
      owner: '403 Permission denied',
      stranger: '403 Permission denied',
      viewer: '403 Permission denied',
      unknown: '404 Member not found',
    }),
  )
})

test('a member is marked as registered by the platform and by their hotel’s administrators', async () => {
  const { root, ownHotel, otherHotel, viewer } = hotels
  const values = () => ({ memberId: viewerId })
  const nobody = () => ({ memberId: 'f'.repeat(24) })
  assert.equal(
    await outcomes(mark, {
      platform: [root, values],
      'own hotel': [ownHotel.token, values],
      'another hotel': [otherHotel.token, values],
      'no administrator': [viewer, values],
      unknown: [ownHotel.token, nobody],
      'unknown to the platform': [root, nobody],
    }),
    everywhere({
      platform: 'ok',
      'own hotel': 'ok',
      'another hotel': '404 Member not found',
      'no administrator': '403 Permission denied',
      unknown: '404 Member not found',
      'unknown to the platform': '404 Member not found',
    }),
  )
})

test('a member is added to a hotel by the platform and by its administrators', async () => {
  const { root, ownHotel, otherHotel, viewer } = hotels
  const newColleague = () => newPerson(ownHotel.ecosystem)
  assert.equal(
    await outcomes(add, {
      platform: [root, newColleague],
      'own hotel': [ownHotel.token, newColleague],
      'another administrator': [
        ownHotel.token,
        () => newPerson(ownHotel.ecosystem, { isAdmin: true, dashboardAccess: true }),
      ],
      'another hotel': [otherHotel.token, newColleague],
      'no administrator': [viewer, newColleague],
      'unknown hotel': [root, () => newPerson('f'.repeat(24))],
    }),
    everywhere({
      platform: 'ok',
      'own hotel': 'ok',
      'another administrator': 'ok',
      'another hotel': '403 Ecosystem access denied',
      'no administrator': '403 Permission denied',
      'unknown hotel': '400',
    }),
  )
})

test('somebody whom an administrator adds is invited by them, and a repeated call returns the same member', async () => {
  const { ownHotel, world } = hotels
  const body = newPerson(ownHotel.ecosystem, { isAdmin: true })
  const addMember = () =>
    expect(world, 201, 'member', 'POST', '/members/add/hotel/member', { token: ownHotel.token, body })
  const [first, secondAnswer] = [await addMember(), await addMember()]
  assert.equal([first['role'], first['workspaceRole'], first['isAdmin']], ['owner', 'admin', true])
  assert.is(secondAnswer['id'], first['id'])
  const path = `/onboarding/get/all?search=${encodeURIComponent(body.email)}`
  const { data } = await expect(world, 200, 'member', 'GET', path, { token: ownHotel.token })
  assert.equal(
    (data as { invitedBy: string }[] | undefined)?.map(one => one.invitedBy),
    [ada.memberId],
  )
  const token = await takeUpInvitation(world, body.email)
  assert.is((await me(token)).memberId, first['id'])
})

test('an administrator gives no more than they hold, in the hotel and in its workspace', async () => {
  const { ownHotel, root, world } = hotels
  const email = addressOf(world, 'chief')
  const invitation = { email, workspaceId: ownHotel.workspace, workspaceRole: 'manager', permissions: [] }
  await expect(world, 201, 'member', 'POST', '/onboarding/invite', { token: ownHotel.token, body: invitation })
  const chief = await takeUpInvitation(world, email)
  const chiefId = (await me(chief)).memberId
  const rights = (set: JsonObject) =>
    expect(world, 200, 'member', 'PATCH', `/permissions/member/${chiefId}/ecosystem/${ownHotel.ecosystem}`, {
      token: root,
      body: set,
    })
  const inWorkspace = (workspaceRole: string) =>
    expect(world, 200, 'member', 'PATCH', `/workspaces/${ownHotel.workspace}/update-member/${chiefId}`, {
      token: ownHotel.token,
      body: { workspaceRole },
    })
  const addMember = async (body: JsonObject) => {
    const answer = await call(world.urls, 'member', 'POST', '/members/add/hotel/member', { token: chief, body })
    return answer.status < 300 ? answer.body['role'] : answer.status
  }
  const plain = () => newPerson(ownHotel.ecosystem)
  const administrator = () => newPerson(ownHotel.ecosystem, { isAdmin: true })
  const owner = { ...newPerson(ownHotel.ecosystem), email: ada.email }
  assert.is(await addMember(plain()), 403)
  await rights({ permissions: ['manage_ecosystem'] })
  assert.equal([await addMember(plain()), await addMember(administrator())], ['member', 403])
  await rights({ role: 'admin' })
  assert.equal([await addMember(administrator()), await addMember({ ...owner, dashboardAccess: true })], [403, 'owner'])
  // Who administers the workspace too appoints administrators, never an owner.
  await inWorkspace('admin')
  assert.is(await addMember(administrator()), 'admin')
  const close = { token: root, body: { dashboardAccess: false } }
  await expect(world, 200, 'member', 'PATCH', `/members/update/${ada.memberId}`, close)
  assert.equal([await addMember(owner), await addMember({ ...owner, dashboardAccess: true })], ['owner', 403])
  await inWorkspace('viewer')
  assert.is(await addMember(plain()), 403)
})

test('a member who is added again as administrator gets the role, and the log shows it', async () => {
  const { ownHotel, viewer, world } = hotels
  const { email } = await me(viewer)
  const list = `/members/get/by/hotel_id/${ownHotel.ecosystem}`
  await expect(world, 403, 'member', 'GET', list, { token: viewer })
  const body = { ...newPerson(ownHotel.ecosystem, { isAdmin: true }), email }
  const member = await expect(world, 201, 'member', 'POST', '/members/add/hotel/member', {
    token: ownHotel.token,
    body,
  })
  assert.equal([member['id'], member['role'], member['workspaceRole']], [viewerId, 'owner', 'viewer'])
  await eventually(async () => (await call(world.urls, 'member', 'GET', list, { token: viewer })).status === 200)
  const log = `/audit/workspace/${ownHotel.workspace}?entity=ecosystem`
  const { data } = await expect(world, 200, 'member', 'GET', log, { token: ownHotel.token })
  const [entry] = data as unknown as { memberId: string; actor: { id: string }; after: { role: string } }[]
  assert.equal([entry?.memberId, entry?.actor.id, entry?.after.role], [viewerId, ada.memberId, 'owner'])
})

test('a suspended hotel is closed to its owner who works elsewhere too, and open to the platform', async () => {
  const { root, world } = hotels
  const { ownHotel, otherHotel } = await twoHotels(platform)
  const { ecosystem, workspace, token } = otherHotel
  const { email } = await me(token)
  const invitation = { email, workspaceId: ownHotel.workspace, workspaceRole: 'viewer' }
  const options = { token: ownHotel.token, body: invitation }
  const { token: invitationToken } = await expect(world, 201, 'member', 'POST', '/onboarding/invite', options)
  await expect(world, 200, 'member', 'POST', `/onboarding/accept/${invitationToken}`, { token, body: {} })
  const setActive = (isActive: boolean) =>
    expect(world, 200, 'hotel', 'PATCH', `/hotel/update/${ecosystem}`, { token: root, body: { isActive } })
  const routes = [
    ['hotel', 'GET', `/hotel/get/${ecosystem}`],
    ['hotel', 'PATCH', `/hotel/update/${ecosystem}`, { city: 'Nice' }],
    ['hotel', 'GET', `/chat/stats/${ecosystem}`],
    ['member', 'GET', `/members/get/by/hotel_id/${ecosystem}`],
    ['member', 'GET', `/workspaces/get/${workspace}`],
  ] as const
  const statuses = (as: string) =>
    Promise.all(
      routes.map(async ([service, verb, path, body]) => {
        const answer = await call(world.urls, service, verb, path, { token: as, ...(body && { body }) })
        return answer.status
      }),
    )
  const hotelsOf = async () => {
    const { data } = await expect(world, 200, 'hotel', 'GET', '/hotel/get/all', { token })
    return (data as unknown as { id: string }[]).map(({ id }) => id).includes(ecosystem)
  }
  const socket = await openSocket(platform.urls.hotel, token)
  await socket.ask('joinHotel', ecosystem)
  assert.equal([await statuses(token), await hotelsOf()], [[200, 200, 200, 200, 200], true])
  await setActive(false)
  await eventually(async () => (await statuses(token)).every(status => status === 403))
  assert.is(await hotelsOf(), false)
  await eventually(() =>
    socket.frames.some(({ event, data }) => event === 'room:left' && data['room'] === `hotel:${ecosystem}`),
  )
  const joined = await socket.ask('joinHotel', ecosystem).catch((error: Error) => error.message)
  assert.match(String(joined), /Ecosystem access denied/)
  assert.equal((await statuses(root)).toSpliced(2, 1), [200, 200, 200, 200])
  const { data } = await expect(world, 200, 'hotel', 'GET', '/hotel/get/all', { token: root })
  assert.ok((data as unknown as { id: string }[]).some(({ id }) => id === ecosystem))
  const key = { key: hotels.apiKey }
  assert.is((await call(world.urls, 'hotel', 'GET', `/hotel/get/${ecosystem}`, key)).status, 200)
  await setActive(true)
  await eventually(async () => (await statuses(token)).every(status => status === 200))
  socket.close()
})

test('nobody is added to a deleted hotel', async () => {
  const { root, world } = hotels
  const { otherHotel } = await twoHotels(platform)
  await expect(world, 200, 'hotel', 'DELETE', `/hotel/delete/${otherHotel.ecosystem}`, { token: root })
  const options = { token: root, body: newPerson(otherHotel.ecosystem) }
  const answer = await call(world.urls, 'member', 'POST', '/members/add/hotel/member', options)
  assert.equal([answer.status, answer.body['message']], [409, 'The hotel of the workspace is closed'])
})

test.run()
