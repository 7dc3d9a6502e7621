import type { DescField } from '@bufbuild/protobuf'
import type { Pool } from 'mysql2/promise'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../../cli/tour/client.ts'
import { addressOf, expect, takeUpInvitation } from '../../cli/tour/world.ts'
import { Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { eventually } from '../kit/kit.ts'
import { checksumsOf } from '../kit/platform/checksums.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type HotelAccess, idsOf, type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { exampleWorld } from '../kit/requests/example-world.ts'
import { messageOf, pathsOf, probe, short } from '../kit/requests/probing.ts'
import { type Records, recordFor, recordsOf } from '../kit/requests/records.ts'
import {
  as,
  type Endpoint,
  endpoints,
  forUsers,
  isOf,
  isPublic,
  type Planned,
  planRequest,
} from '../kit/requests/requests.ts'
import { testPool } from '../kit/sql.ts'

/*
 * What every route of the member service refuses, beyond negatives.test.ts: each missing permission, callers in every
 * membership state, every bound of every field; and that a refusal writes nothing.
 */
const test = suite('refusals of the member service')
const all = (await endpoints()).filter(one => one.service === 'member')
const guardedEndpoints = all.filter(one => !isPublic(one))
const platform = await sharedPlatform()
const { send, wrong, faults } = probe(platform.urls)
let hotels: TwoHotels
const kinds = ['member', 'address', 'team', 'department', 'role', 'invitation'] as const
type Needed = Pick<Records, (typeof kinds)[number]>
let records: { ours: Needed; theirs: Needed }
let sql: Pool
/** A person whose role and state the tests change. */
let tim: { token: string; memberId: string }
let before: Record<string, string>

const ownIdsOf = (endpoint: Endpoint) => idsOf(hotels.ownHotel, endpoint)
const readChecksums = () => checksumsOf(String(platform.env['MEMBER_DATABASE_URL']))

test.before(async () => {
  hotels = await twoHotels(platform)
  const loadRecords = (hotel: HotelAccess) => recordsOf(exampleWorld(hotels, hotel), kinds)
  records = { ours: await loadRecords(hotels.ownHotel), theirs: await loadRecords(hotels.otherHotel) }
  sql = testPool(String(platform.env['MEMBER_DATABASE_URL']))
  const { world, ownHotel: hotel } = hotels
  const email = addressOf(world, 'tim')
  const body = { email, firstName: 'Tim', lastName: 'Test', workspaceId: hotel.workspace, permissions: [] }
  await expect(world, 201, 'member', 'POST', '/onboarding/invite', { token: hotel.token, body })
  const token = await takeUpInvitation(world, email)
  const me = await expect(world, 200, 'auth', 'GET', '/users/me', { token })
  tim = { token, memberId: String(me['memberId']) }
  for (const slug of slugs) {
    const { data } = await expect(world, 200, 'member', 'GET', '/permissions/all', { token: hotel.token })
    const otherSlugs = (data as { slug: string; level: string }[] | undefined)
      ?.filter(one => one.level === 'workspace' && one.slug !== slug)
      .map(one => one.slug)
    const role = { workspaceId: hotel.workspace, name: `All but ${slug}`, slug: `no-${slug}`, permissions: otherSlugs }
    await expect(world, 201, 'member', 'POST', '/roles', { token: hotel.token, body: role })
  }
  // Wait until all events are processed, so that their writes aren't attributed to a refusal.
  const bus = await connectBus({ url: platform.bus.url, stream: platform.bus.stream, name: 'test' })
  await eventually(async () =>
    (await bus.backlog()).consumers.every(({ waiting, delivered }) => waiting + delivered === 0),
  )
  await bus.close()
})
test.after(async () => {
  await sql?.end()
})

/** The workspace permissions that routes of this service require. */
const slugs = [
  ...new Set(
    guardedEndpoints.filter(one => isOf(one, Scope.WORKSPACE, Scope.RECORD)).map(one => one.access.permission),
  ),
].filter(slug => slug !== '')

/** A call on the hotel's own record, where the path names one. */
const onOwn = (endpoint: Endpoint, also: Record<string, unknown> = {}): Planned => {
  const chooseValue = (field: DescField) => ownIdsOf(endpoint)(field) ?? recordFor(records.ours, endpoint, field)
  return planRequest(endpoint, chooseValue, also)
}

/** Sets Tim's membership and waits until a read of the workspace is answered with this status. */
async function turn(set: string, status: number, readPath = 'workspaces/get'): Promise<void> {
  const membershipKey = [tim.memberId, hotels.ownHotel.workspace]
  await sql.query(`update workspace_members set ${set} where member_id = ? and workspace_id = ?`, membershipKey)
  const path = `/${readPath}/${hotels.ownHotel.workspace}`
  await eventually(
    async () => (await call(platform.urls, 'member', 'GET', path, { token: tim.token })).status === status,
  )
}

test('a caller with all permissions except the one that a route requires is refused', async () => {
  assert.ok(slugs.length > 8, slugs.join())
  let routeCount = 0
  for (const slug of slugs) {
    // Suspended first, so that the next 200 comes from the new role.
    await turn("status = 'suspended'", 403)
    const readPath = slug === 'view_members' ? 'analytics/workspace' : 'workspaces/get'
    await turn(`workspace_role = 'no-${slug}', status = 'active'`, 200, readPath)
    const state = await readChecksums()
    const routes = guardedEndpoints.filter(
      one => forUsers(one) && one.access.permission === slug && isOf(one, Scope.WORKSPACE, Scope.RECORD),
    )
    routeCount += routes.length
    const problems = await wrong(routes, async endpoint => {
      const plan = onOwn(endpoint)
      const answer = await send(endpoint, plan.path, as(tim.token, plan))
      // Routes by address hide the person instead of refusing access.
      const isByAddress = endpoint.route.path.includes('{email}')
      if (isByAddress) return answer.status === 404 ? undefined : short(answer)
      return answer.status === 403 && messageOf(answer) === 'Permission denied' ? undefined : short(answer)
    })
    assert.equal(problems, [], slug)
    assert.equal(await readChecksums(), state, slug)
  }
  assert.ok(routeCount > 50, `${routeCount}`)
})

test('a pending, suspended or ended membership is refused like a stranger, on every route', async () => {
  const states: [name: string, set: string][] = [
    ['pending', "status = 'pending', left_at = null"],
    ['suspended', "status = 'suspended', left_at = null"],
    ['left', "status = 'active', left_at = current_timestamp(3)"],
  ]
  for (const [name, set] of states) {
    await turn("status = 'active', left_at = null", 200)
    await turn(`workspace_role = 'admin', ${set}`, 403)
    const state = await readChecksums()
    const problems = await wrong(
      guardedEndpoints.filter(one => forUsers(one) && isOf(one, Scope.WORKSPACE, Scope.RECORD)),
      async endpoint => {
        const plan = onOwn(endpoint)
        const answer = await send(endpoint, plan.path, as(tim.token, plan))
        if (isOf(endpoint, Scope.RECORD)) return answer.status === 404 ? undefined : short(answer)
        return answer.status === 403 && messageOf(answer) === 'Workspace access denied' ? undefined : short(answer)
      },
    )
    assert.equal(problems, [], name)
    assert.equal(await readChecksums(), state, name)
  }
  await turn("workspace_role = 'member', status = 'active', left_at = null", 200)
})

test('a deleted workspace is refused to its administrator, and not found by the platform’s', async () => {
  const { world, root, ownHotel: hotel } = hotels
  const fields = { name: 'Pier', ecosystemId: hotel.ecosystem }
  const createdWorkspace = await expect(world, 201, 'member', 'POST', '/workspaces', {
    token: hotel.token,
    body: fields,
  })
  const workspace = String(createdWorkspace['id'])
  await expect(world, 200, 'member', 'DELETE', `/workspaces/delete/${workspace}`, { token: hotel.token })
  const tenant = { ...hotel, workspace }
  const workspacePath = `/workspaces/get/${workspace}`
  for (const [token, status] of [
    [hotel.token, 403],
    [root, 404],
  ] as const)
    await eventually(
      async () => (await call(platform.urls, 'member', 'GET', workspacePath, { token })).status === status,
    )
  before = await readChecksums()
  const problems = await wrong(
    guardedEndpoints.filter(one => forUsers(one) && isOf(one, Scope.WORKSPACE)),
    async endpoint => {
      const plan = planRequest(endpoint, idsOf(tenant, endpoint))
      const ownAnswer = await send(endpoint, plan.path, as(hotel.token, plan))
      if (ownAnswer.status !== 403 || messageOf(ownAnswer) !== 'Workspace access denied') return short(ownAnswer)
      const rootAnswer = await send(endpoint, plan.path, as(root, plan))
      return rootAnswer.status === 404 && messageOf(rootAnswer) === 'Workspace not found'
        ? undefined
        : `root → ${short(rootAnswer)}`
    },
  )
  assert.equal(problems, [])
})

test('a foreign tenant in the query of a list, or in a body beside the caller’s own, is refused', async () => {
  const problems = await wrong(guardedEndpoints.filter(forUsers), async endpoint => {
    for (const field of endpoint.route.method.input.fields) {
      if (!/^(workspace|ecosystem|hotel|default_workspace)_id$/.test(field.name) || endpoint.pathFields.includes(field))
        continue
      const { workspace, ecosystem } = hotels.otherHotel
      const foreign = field.name.endsWith('workspace_id') ? workspace : ecosystem
      const plan = onOwn(endpoint, { [field.jsonName]: foreign })
      const answer = await send(endpoint, plan.path, as(hotels.ownHotel.token, plan))
      if (answer.status !== 403 && !(answer.status === 400 && pathsOf(answer).includes(field.jsonName)))
        return `${field.jsonName} → ${short(answer)}`
    }
    return undefined
  })
  assert.equal(problems, [])
})

test('parents in another workspace are refused, each with its field or as not found', async () => {
  const { ours: ownRecords, theirs } = records
  const { workspace: workspaceId, token } = hotels.ownHotel
  const newcomer = { email: 'new@phare.example', firstName: 'N', lastName: 'N', workspaceId }
  const cases: [method: string, path: string, body: object, status: number, field?: string][] = [
    ['POST', '/teams', { workspaceId, name: 'T', leaderId: theirs.member }, 400, 'leaderId'],
    ['PATCH', `/teams/update/${ownRecords.team}`, { leaderId: theirs.member }, 400, 'leaderId'],
    ['POST', `/teams/${ownRecords.team}/add-member`, { memberId: theirs.member }, 404],
    ['POST', `/teams/${theirs.team}/add-member`, { memberId: ownRecords.member }, 404],
    ['POST', '/departments', { workspaceId, name: 'D', managerId: theirs.member }, 400, 'managerId'],
    ['POST', '/departments', { workspaceId, name: 'D', parentId: theirs.department }, 400, 'parentId'],
    ['PATCH', `/departments/update/${ownRecords.department}`, { managerId: theirs.member }, 400, 'managerId'],
    ['PATCH', `/departments/update/${ownRecords.department}`, { parentId: theirs.department }, 400, 'parentId'],
    ['PATCH', `/departments/update/${ownRecords.department}`, { parentId: ownRecords.department }, 400, 'parentId'],
    ['POST', `/departments/${ownRecords.department}/add-member`, { memberId: theirs.member }, 404],
    ['POST', '/members', { ...newcomer, superior: theirs.member }, 400, 'superior'],
    ['PATCH', `/members/update/${ownRecords.member}`, { superior: theirs.member }, 400, 'superior'],
    ['PATCH', `/members/update/${ownRecords.member}`, { superior: ownRecords.member }, 400, 'superior'],
    ['POST', '/members', { ...newcomer, workspaceRole: 'no-such-role' }, 400, 'workspaceRole'],
    ['POST', `/workspaces/${workspaceId}/add-member`, { memberId: theirs.member }, 404],
    ['DELETE', `/workspaces/${workspaceId}/remove-member/${theirs.member}`, {}, 404],
    ['PATCH', `/workspaces/${workspaceId}/update-member/${theirs.member}`, { workspaceRole: 'viewer' }, 404],
    ['GET', `/permissions/member/${theirs.member}/workspace/${workspaceId}`, {}, 404],
    ['POST', '/onboarding/invite', { ...newcomer, ecosystemId: hotels.otherHotel.ecosystem }, 400, 'ecosystemId'],
    ['POST', '/onboarding/invite', { ...newcomer, workspaceRole: 'king' }, 400, 'workspaceRole'],
    ['POST', '/onboarding/invite', { ...newcomer, permissions: ['view_members', 'fly'] }, 400, 'permissions[1]'],
    ['POST', '/roles', { workspaceId, name: 'R', permissions: ['fly'] }, 400, 'permissions[0]'],
    ['POST', `/roles/${ownRecords.role}/add-permission`, { permissionSlug: 'manage_ecosystem' }, 400, 'permissionSlug'],
    ['POST', '/workspaces', { name: 'W', ecosystemId: hotels.otherHotel.ecosystem }, 403],
    [
      'PATCH',
      `/settings/member/${ownRecords.member}/preferences`,
      { defaultWorkspaceId: hotels.otherHotel.workspace },
      400,
      'defaultWorkspaceId',
    ],
  ]
  for (const [method, path, body, status, field] of cases) {
    const options = method === 'GET' || method === 'DELETE' ? { token } : { token, body }
    const answer = await call(platform.urls, 'member', method, path, options)
    assert.is(answer.status, status, `${method} ${path} ${JSON.stringify(body)} → ${short(answer)}`)
    if (field) assert.equal(pathsOf(answer), [field], path)
  }
})

test('an existing record is a 409, and stays unchanged', async () => {
  const { workspace: workspaceId, token } = hotels.ownHotel
  const cases: [path: string, body: object][] = [
    ['/roles', { workspaceId, name: 'Any', slug: `no-${slugs[0]}` }],
    ['/roles', { workspaceId, name: 'Manager', slug: 'manager' }],
    ['/members', { email: addressOf(hotels.world, 'tim'), firstName: 'T', lastName: 'T', workspaceId }],
    ['/onboarding/invite', { email: addressOf(hotels.world, 'TIM'), workspaceId }],
    [`/workspaces/${workspaceId}/add-member`, { memberId: tim.memberId }],
  ]
  for (const [path, body] of cases) {
    const answer = await call(platform.urls, 'member', 'POST', path, { token, body })
    assert.is(answer.status, 409, `${path} ${JSON.stringify(body)} → ${short(answer)}`)
  }
  const slug = { slug: 'view_members', name: 'V', category: 'members', resource: 'member', action: 'read' }
  const conflict = await call(platform.urls, 'member', 'POST', '/permissions', { token: hotels.root, body: slug })
  assert.is(conflict.status, 409)
})

test('none of these calls wrote data or an event', async () => {
  assert.equal(await readChecksums(), before)
  assert.equal(faults(), [])
})

test.run()
