import type { JsonObject } from '@bufbuild/protobuf'
import { call } from '../../cli/tour/client.ts'
import { expect } from '../../cli/tour/world.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { WorkspaceService } from '../../gen/platform/member/v1/workspaces_pb.ts'
import { assert, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses, type SharedPerson } from '../kit/platform/shared-person.ts'
import { onEachSurface } from '../kit/requests/surfaces.ts'

/** What lists answer to the platform, which belongs to no hotel. */
const test = suite('lists of the platform')
const platform = await sharedPlatform()
let hotels: Houses
let first: House
let second: House
let nia: SharedPerson
let zoe: SharedPerson

test.before(async () => {
  hotels = await houses(platform)
  first = await hotels.house('Le Phare', 'ada')
  second = await hotels.house('Autre', 'eve')
  nia = await hotels.settle(first, 'nia', ['Nïa', `${hotels.world.run}Söme`])
  zoe = await hotels.settle(second, 'zoe', ['Zoé', `${hotels.world.run}Sömeone`])
})

type Row = { id: string; workspaces: { workspaceId: string }[]; isActive: boolean }
type List = { data: Row[]; meta: { total: number; page: number; limit: number; totalPages: number } }

const listMembers = onEachSurface(platform, 'member', {
  verb: 'GET',
  path: values => `/members/get/all?${new URLSearchParams(values as Record<string, string>)}`,
  method: MemberService.method.listMembers,
})
const [overRest] = listMembers
/** The list as the platform gets it over REST. */
async function everybody(values: JsonObject): Promise<List> {
  const { status, text } = (await overRest?.ask(hotels.root, values)) ?? { status: 0, text: '' }
  assert.is(status, 200, text)
  return JSON.parse(text) as List
}
const idsOf = ({ data }: List): string[] => data.map(({ id }) => id)
const searchOfRun = () => ({ search: `${hotels.world.run}some` })

test('without a workspace the platform gets everybody, page by page, on every surface', async () => {
  for (const { surface, ask } of listMembers) {
    const { status, text } = await ask(hotels.root, { ...searchOfRun(), limit: 1, page: 2 })
    assert.is(status, 200, `${surface}: ${text}`)
    const { data, meta } = JSON.parse(text) as List
    assert.equal(
      [data.map(({ id }) => id), meta.total, meta.page, meta.limit, meta.totalPages],
      [[zoe.id], 2, 2, 1, 2],
      surface,
    )
  }
  const key = { key: hotels.apiKey }
  const { body } = await call(platform.urls, 'member', 'GET', `/members/get/all?search=${hotels.world.run}some`, key)
  assert.equal(
    [idsOf(body as unknown as List), body['data'][0]?.['workspaces'][0]?.['workspaceId']],
    [[nia.id, zoe.id], first.workspace],
  )
  const wholeList = await everybody({})
  assert.ok(wholeList.meta.total >= 4)
  assert.is(wholeList.data.length, Math.min(wholeList.meta.total, 20))
})

test('its filters are those of a workspace’s list', async () => {
  const some = async (values: JsonObject) => idsOf(await everybody({ ...searchOfRun(), ...values }))
  const both = [nia.id, zoe.id]
  assert.equal(await some({ search: `nia ${hotels.world.run}SOME` }), [nia.id])
  assert.equal(await some({ search: `ZOE ${hotels.world.run}someone` }), [zoe.id])
  assert.equal(await some({ search: nia.email.toUpperCase() }), [nia.id])
  assert.equal(await some({ search: `${hotels.world.run}some_ne` }), [])
  assert.equal([await some({ workspaceRole: 'viewer' }), await some({ workspaceRole: 'admin' })], [both, []])
  assert.equal([await some({ status: 'active' }), await some({ status: 'suspended' })], [both, []])
  assert.equal([await some({ isActive: true }), await some({ isActive: false })], [both, []])
  const rest = { token: first.token, body: { isActive: false } }
  await expect(hotels.world, 200, 'member', 'PATCH', `/members/update/${nia.id}`, rest)
  assert.equal([await some({ isActive: true }), await some({ isActive: false })], [[zoe.id], [nia.id]])
  // Active in another hotel they are active, and switched off by the platform they are not.
  const invitation = { email: nia.email, workspaceId: second.workspace, permissions: [] }
  const answer = await hotels.member('POST', '/onboarding/invite', second.token, invitation)
  await hotels.accept(nia, String(answer.body['token']))
  assert.equal((await everybody({ ...searchOfRun(), isActive: true })).data[0]?.workspaces.length, 2)
  await expect(hotels.world, 200, 'member', 'PATCH', `/members/update/${nia.id}`, {
    token: hotels.root,
    body: { isActive: false },
  })
  const people = await everybody(searchOfRun())
  assert.equal(
    people.data.map(({ isActive }) => isActive),
    [false, true],
  )
  assert.equal(await some({ isActive: false }), [nia.id])
  // Deleted people are in no list.
  await expect(hotels.world, 200, 'member', 'DELETE', `/members/delete/${nia.id}`, { token: hotels.root })
  assert.equal(await some({}), [zoe.id])
})

test('nobody else gets more than their workspace', async () => {
  for (const { surface, ask } of listMembers) {
    const { text } = await ask(second.token, {})
    const { data } = JSON.parse(text) as List
    assert.ok(
      data.length > 0 && data.every(one => one.workspaces.every(w => w.workspaceId === second.workspace)),
      surface,
    )
    const foreign = await ask(second.token, { workspaceId: first.workspace })
    assert.equal([foreign.status, foreign.text], [403, 'Workspace access denied'], surface)
  }
  const body = { ecosystemId: second.ecosystem, permissions: ['view_members'] }
  const credential = await expect(hotels.world, 201, 'auth', 'POST', '/ecosystem/credentials', {
    token: hotels.root,
    body,
  })
  const headers = { 'x-api-key': String(credential['apiKey']), 'x-api-secret': String(credential['apiSecret']) }
  const answer = await call(platform.urls, 'member', 'GET', '/members/get/all', { headers })
  assert.not.ok(JSON.stringify(answer.body).includes(first.workspace), JSON.stringify(answer.body))
})

test('a deleted hotel’s workspaces and invitations are in no list until it is restored', async () => {
  const deletedHotel = await hotels.house('Parti', 'gil')
  const body = { email: `late-${hotels.world.run}@hotel.example`, workspaceId: deletedHotel.workspace, permissions: [] }
  await expect(hotels.world, 201, 'member', 'POST', '/onboarding/invite', { token: hotels.root, body })
  const lists = [
    {
      verb: 'GET',
      path: (values: JsonObject) => `/workspaces/get/all?${new URLSearchParams(values as Record<string, string>)}`,
      method: WorkspaceService.method.listWorkspaces,
      values: [
        {},
        { ecosystemId: deletedHotel.ecosystem },
        { isActive: false },
        { page: 1, limit: 100, search: deletedHotel.name },
      ],
    },
    {
      verb: 'GET',
      path: (values: JsonObject) => `/onboarding/get/all?${new URLSearchParams(values as Record<string, string>)}`,
      method: OnboardingService.method.listInvitations,
      values: [
        {},
        { workspaceId: deletedHotel.workspace },
        { status: 'pending' },
        { page: 1, limit: 100, search: body.email },
      ],
    },
  ]
  const isShown = async () => {
    const visibilities: boolean[] = []
    for (const { values, ...list } of lists)
      for (const { surface, ask } of onEachSurface(platform, 'member', list))
        for (const one of values) {
          const { status, text } = await ask(hotels.root, one)
          assert.is(status, 200, `${surface}: ${text}`)
          visibilities.push(text.includes(deletedHotel.workspace))
        }
    const invitations = await expect(hotels.world, 200, 'auth', 'GET', '/invitations', { token: hotels.root })
    return [...visibilities, JSON.stringify(invitations).includes(body.email)]
  }
  const whileOpen = await isShown()
  // The workspace is active, so the filter for inactive ones leaves it out.
  assert.is(whileOpen.filter(one => !one).length, 3)
  await expect(hotels.world, 200, 'hotel', 'DELETE', `/hotel/delete/${deletedHotel.ecosystem}`, { token: hotels.root })
  assert.not.ok((await isShown()).includes(true))
  await expect(hotels.world, 200, 'hotel', 'POST', `/hotel/restore/${deletedHotel.ecosystem}`, {
    token: hotels.root,
    body: {},
  })
  assert.equal(await isShown(), whileOpen)
})

test.run()
