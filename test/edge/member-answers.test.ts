import { SignInService } from '../../gen/platform/auth/v1/sign_in_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { service as notification } from '../../services/notification/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'
import { addPerson, openWorld, type Person, someAddress, type World } from '../kit/member.ts'
import { testPool } from '../kit/sql.ts'

/*
 * Every field that the outside contract shows in an answer of the member service is in a real answer. `a[].b` is the
 * field b of the first element of the list a, which must have one.
 */
const test = suite('documented answers of the member service')
const { host, urls, end } = await startTestEdge([auth, member, news, notification])
test.after(end)

let world: World
let clerk: Person
let ids: Record<'team' | 'department' | 'sub' | 'role' | 'invitation', string>

const tokenOf = ({ userId, email }: Pick<Person, 'userId' | 'email'>): string => {
  const none = { memberId: null, workspaceId: null, sessionId: null, roles: [], permissions: [], isAdmin: false }
  return host.tokens.issue({ ...none, userId, email, kind: 'modern' }, 900)
}

type Answer = { status: number; body: unknown; headers: Headers }
async function ask(method: string, path: string, body?: unknown, userId = world.admin.userId): Promise<Answer> {
  const { email } = world.admin
  const response = await fetch(urls.member + path, {
    method,
    headers: {
      authorization: `Bearer ${tokenOf({ userId, email })}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers }
}
const make = async (path: string, body: object): Promise<string> => {
  const answer = await ask('POST', path, body)
  assert.is(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`)
  return String((answer.body as { id?: string }).id)
}

/** The paths that an answer lacks. */
const lacking = (body: unknown, paths: string[]): string[] =>
  paths.filter(path => {
    let at = body
    for (const step of path.split('.')) {
      const [name = '', isList] = [step.replace('[]', ''), step.endsWith('[]')]
      if (name !== '') {
        if (typeof at !== 'object' || at === null || !(name in at)) return true
        at = (at as Record<string, unknown>)[name]
      }
      if (isList) {
        if (!Array.isArray(at) || at.length === 0) return true
        at = at[0]
      }
    }
    return false
  })

const fields = (text: string): string[] => text.trim().split(/\s+/)

test.before(async () => {
  world = await openWorld(host)
  const { workspaceId, admin } = world
  clerk = await addPerson(host, world, 'member', { superior: admin.memberId, firstName: 'Cleo', lastName: 'Clerk' })
  await addPerson(host, world, 'viewer', { superior: clerk.memberId })
  const team = await make('/teams/', { workspaceId, name: 'Desk', leaderId: clerk.memberId })
  const department = await make('/departments/', { workspaceId, name: 'Rooms', code: 'R', managerId: clerk.memberId })
  const sub = await make('/departments/', { workspaceId, name: 'Floors', code: 'F', parentId: department })
  const role = await make('/roles/', { workspaceId, name: 'Porter', permissions: ['view_reports'] })
  const email = someAddress()
  const invitation = await make('/onboarding/invite', { workspaceId, email, workspaceRole: 'member', permissions: [] })
  ids = { team, department, sub, role, invitation }
})

const person = () => ({ firstName: 'New', lastName: 'Comer', email: someAddress(), workspaceId: world.workspaceId })

test('members', async () => {
  const { memberId } = clerk
  const cases: [method: string, path: string, body: object | undefined, status: number, wanted: string][] = [
    [
      'POST',
      '/members/',
      { ...person(), phone: '1', workspaceRole: 'viewer', superior: memberId, dashboardAccess: true },
      201,
      `id firstName lastName email workspaces[].workspaceId workspaces[].workspaceRole workspaces[].permissionSlugs
        superior dashboardAccess`,
    ],
    [
      'GET',
      `/members/get/all?workspaceId=${world.workspaceId}&workspaceRole=member&isActive=true&search=cleo&page=1&limit=5`,
      undefined,
      200,
      `data[].id data[].firstName data[].lastName data[].email data[].photo_url data[].workspaces data[].isActive
        meta.total meta.page meta.limit meta.totalPages`,
    ],
    [
      'GET',
      `/members/get/${memberId}`,
      undefined,
      200,
      `id firstName lastName email phone photo_url isSuperAdmin dashboardAccess manager.id manager.firstName
        manager.lastName subordinates[].id subordinates[].firstName subordinates[].lastName workspaces[].workspaceId
        workspaces[].workspaceName workspaces[].workspaceRole workspaces[].permissions workspaces[].isAdmin
        ecosystems[].ecosystemId ecosystems[].role ecosystems[].permissions teams[].teamId teams[].teamName
        teams[].role departments[].departmentId departments[].departmentName departments[].role`,
    ],
    ['PATCH', `/members/update/${memberId}`, { phone: '2' }, 200, 'id firstName lastName email phone updatedAt'],
    [
      'GET',
      `/members/get/with/${clerk.email}`,
      undefined,
      200,
      'id firstname lastname picture hotelId workspaces[].id',
    ],
    [
      'GET',
      `/members/hierarchy/${world.admin.memberId}`,
      undefined,
      200,
      `member.id member.firstName member.lastName manager subordinates[].id subordinates[].firstName
        subordinates[].lastName subordinates[].subordinates[].id subordinates[].subordinates[].subordinates`,
    ],
  ]
  for (const [method, path, body, status, wanted] of cases) {
    const answer = await ask(method, path, body)
    assert.is(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    assert.equal(lacking(answer.body, fields(wanted)), [], `${method} ${path}`)
  }
  const { hotelId } = world
  const hotel = { hotelId, email: someAddress(), firstName: 'A', lastName: 'B', dashboardAccess: true, isAdmin: true }
  const service = { 'x-api-key': String(host.env['SERVICE_API_KEY']), 'content-type': 'application/json' }
  const add = { method: 'POST', headers: service, body: JSON.stringify(hotel) }
  const added = (await (await fetch(`${urls.member}/members/add/hotel/member`, add)).json()) as { id: string }
  assert.equal(lacking(added, fields('id firstName lastName email dashboardAccess isAdmin')), [])
  const light = await fetch(`${urls.member}/members/get/light/${clerk.email}`, { headers: service })
  assert.equal(lacking(await light.json(), fields('id firstname lastname picture hotelId')), [])
  const all = await fetch(`${urls.member}/members/get/by/hotel_id/${hotelId}`, { headers: service })
  assert.equal(lacking(await all.json(), fields('data[].id data[].email data[].isAdmin data[].isActive')), [])
  const mark = { method: 'PUT', headers: service, body: JSON.stringify({ memberId: added.id }) }
  const marked = await fetch(`${urls.member}/members/registered/update`, mark)
  assert.equal([marked.status, lacking(await marked.json(), ['memberId', 'registeredAt'])], [200, []])
})

test('workspaces, roles and permissions', async () => {
  const { workspaceId, hotelId } = world
  const cases: [method: string, path: string, body: object | undefined, status: number, wanted: string][] = [
    [
      'GET',
      `/workspaces/get/${workspaceId}`,
      undefined,
      200,
      `id name description ecosystemId logo_url isActive members[].memberId members[].firstName members[].lastName
        members[].workspaceRole members[].permissions teams[].id teams[].name teams[].membersCount departments[].id
        departments[].name departments[].membersCount roles[].id roles[].name roles[].slug roles[].isSystem`,
    ],
    [
      'GET',
      `/roles/workspace/${workspaceId}`,
      undefined,
      200,
      `data[].id data[].name data[].slug data[].isSystem data[].isDefault data[].permissions[].slug
        data[].permissions[].name data[].permissions[].category`,
    ],
    [
      'POST',
      '/roles/',
      { workspaceId, name: 'Bell', slug: 'bell', description: 'B', permissions: ['view_members'] },
      201,
      'id workspaceId name slug description isSystem isDefault permissions[].slug',
    ],
    ['PATCH', `/roles/${ids.role}`, { description: 'Carries' }, 200, 'id name slug description permissions'],
    ['POST', `/roles/${ids.role}/add-permission`, { permissionSlug: 'view_members' }, 201, 'id permissions[].slug'],
    ['DELETE', `/roles/${ids.role}/remove-permission/view_members`, undefined, 200, 'id permissions[].slug'],
    [
      'GET',
      '/permissions/all',
      undefined,
      200,
      `data[].id data[].slug data[].name data[].description data[].category data[].resource data[].action data[].level
        categories.members[] categories.content[] categories.settings[] categories.communication[]
        categories.analytics[]`,
    ],
    [
      'GET',
      `/permissions/member/${clerk.memberId}/workspace/${workspaceId}`,
      undefined,
      200,
      'memberId workspaceId workspaceRole permissions[] source.role[] source.direct',
    ],
    [
      'POST',
      `/workspaces/${workspaceId}/add-member`,
      undefined,
      201,
      'memberId workspaceId workspaceRole permissionSlugs status isAdmin joinedAt leftAt',
    ],
  ]
  const left = await addPerson(host, world, 'viewer')
  const gone = await ask('DELETE', `/workspaces/${workspaceId}/remove-member/${left.memberId}`)
  assert.equal([gone.status, lacking(gone.body, ['message', 'workspaceId', 'memberId'])], [200, []])
  for (const [method, path, body, status, wanted] of cases) {
    const isAdding = path.endsWith('add-member')
    const sent = isAdding ? { memberId: left.memberId, workspaceRole: 'viewer', permissions: ['view_reports'] } : body
    // add-member needs a person who isn't a member, so it re-adds the one who left.
    const answer = await ask(method, path, sent)
    assert.is(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    assert.equal(lacking(answer.body, fields(wanted)), [], `${method} ${path}`)
  }
  const workspace = {
    name: 'Spa',
    description: 'S',
    ecosystemId: hotelId,
    ecosystemType: 'hotel',
    isDefault: false,
    settings: { timezone: 'Europe/Paris', language: 'fr' },
  }
  const made = await ask('POST', '/workspaces/', workspace, world.root)
  assert.equal(
    [made.status, lacking(made.body, ['id', 'name', 'ecosystemId', 'settings.timezone', 'isDefault'])],
    [201, []],
  )
  const all = await ask('GET', '/workspaces/get/all')
  assert.equal(lacking(all.body, ['data[].id', 'data[].name', 'data[].ecosystemId']), [])
  const fresh = {
    slug: `c_${newId()}`,
    name: 'C',
    description: 'D',
    category: 'content',
    resource: 'page',
    action: 'read',
  }
  const custom = await ask('POST', '/permissions/', fresh, world.root)
  assert.equal([custom.status, lacking(custom.body, [...Object.keys(fresh), 'id', 'level'])], [201, []])
})

test('teams, departments, onboarding and the rest', async () => {
  const { workspaceId } = world
  const { memberId } = clerk
  const newcomer = { email: someAddress(), firstName: 'N', lastName: 'N', workspaceRole: 'viewer' }
  const cases: [method: string, path: string, body: object | undefined, status: number, wanted: string][] = [
    ['GET', `/teams/workspace/${workspaceId}`, undefined, 200, 'data[].id data[].name data[].color data[].leaderId'],
    ['POST', `/teams/${ids.team}/add-member`, { memberId: world.admin.memberId }, 201, 'teamId memberId role joinedAt'],
    ['GET', `/teams/${ids.team}/members`, undefined, 200, 'data[].id data[].firstName data[].lastName data[].role'],
    [
      'GET',
      `/departments/workspace/${workspaceId}`,
      undefined,
      200,
      `data[].id data[].name data[].code data[].manager.id data[].manager.firstName data[].manager.lastName
        data[].membersCount data[].subDepartments[].id data[].subDepartments[].name data[].subDepartments[].code
        data[].subDepartments[].membersCount`,
    ],
    [
      'POST',
      '/onboarding/invite',
      {
        email: someAddress(),
        firstName: 'I',
        lastName: 'I',
        workspaceId,
        ecosystemId: world.hotelId,
        workspaceRole: 'member',
        permissions: ['view_reports'],
      },
      201,
      'id email token status expiresAt invitationLink',
    ],
    [
      'GET',
      '/onboarding/get/all?status=pending',
      undefined,
      200,
      'data[].id data[].email data[].status data[].expiresAt',
    ],
    ['DELETE', `/onboarding/cancel/${ids.invitation}`, undefined, 200, 'message id'],
    ['GET', `/settings/member/${memberId}`, undefined, 200, 'memberId language timezone mobileAccess'],
    ['PATCH', `/settings/member/${memberId}`, { language: 'en' }, 200, 'memberId language timezone mobileAccess'],
    [
      'GET',
      `/analytics/workspace/${workspaceId}`,
      undefined,
      200,
      `workspaceId members.total members.active members.pending members.byRole.admin members.byRole.member teams.total
        teams.averageSize departments.total activity.newMembersThisMonth activity.activeToday`,
    ],
    ['POST', '/sync/members', { workspaceId }, 201, ''],
    [
      'POST',
      '/bulk/add-members',
      { workspaceId, members: [newcomer] },
      200,
      'results[].index results[].success results[].memberId total succeeded failed',
    ],
    [
      'POST',
      '/bulk/update-roles',
      { workspaceId, members: [{ memberId, workspaceRole: 'viewer' }] },
      200,
      'results[].index results[].success results[].memberId total succeeded failed',
    ],
    [
      'POST',
      '/bulk/assign-permissions',
      { workspaceId, memberIds: [memberId], permissions: ['view_reports'] },
      200,
      'results[].index results[].success results[].memberId total succeeded failed',
    ],
    ['DELETE', `/members/delete/${memberId}`, undefined, 200, 'message id'],
  ]
  for (const [method, path, body, status, wanted] of cases) {
    const answer = await ask(method, path, body)
    if (path === '/sync/members') {
      const all = fields(
        'members[].id members[].firstName members[].lastName members[].email members[].photo_url syncedAt',
      )
      assert.equal([answer.status, lacking(answer.body, all)], [200, []])
      const alias = await ask('POST', '/members/sync', body)
      assert.equal([alias.status, lacking(alias.body, all)], [200, []])
      continue
    }
    assert.is(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    assert.equal(lacking(answer.body, fields(wanted)), [], `${method} ${path}`)
  }
})

test('the token of an invitation alone, over REST and /rpc: 401 before the address is confirmed, then 200', async () => {
  const { workspaceId } = world
  const sql = testPool(host.databaseUrl('auth'))
  const accept = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(urls.member + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return [answer.status, ((await answer.json()) as { status?: string }).status]
  }
  for (const surface of ['REST', '/rpc'] as const) {
    const email = someAddress()
    await host.as(SignInService).register({ email, password: 'correct horse 7' })
    const { token } = (await ask('POST', '/onboarding/invite', { workspaceId, email })).body as { token: string }
    const isRest = surface === 'REST'
    const path = isRest ? `/onboarding/accept/${token}` : `/rpc/${OnboardingService.typeName}/AcceptInvitation`
    const body = isRest ? {} : { token }
    assert.is((await accept(path, body))[0], 401, surface)
    await sql.query('update users set email_verified = 1 where email = ?', [email])
    assert.equal(await accept(path, body), [200, 'accepted'], surface)
  }
  await sql.end()
})

test('an accepted invitation, a session and the data of one person', async () => {
  const { workspaceId } = world
  const email = someAddress()
  const { user, accessToken } = await host.as(SignInService).register({ email, password: 'correct horse 7' })
  const userId = user?.id
  const invited = (await ask('POST', '/onboarding/invite', { workspaceId, email })).body as { token: string }
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
  const accept = await fetch(`${urls.member}/onboarding/accept/${invited.token}`, {
    method: 'POST',
    headers,
    body: '{}',
  })
  const accepted = (await accept.json()) as { memberId: string }
  assert.equal([accept.status, lacking(accepted, ['status', 'memberId', 'workspaceId', 'workspaceRole'])], [200, []])
  const { profile } = await host.client(ProfileService).getProfile({ memberId: accepted.memberId })
  assert.is(profile?.email, email)
  const own = await ask('GET', `/export/member/${accepted.memberId}`, undefined, userId)
  assert.is(own.status, 200)
  assert.equal(
    lacking(
      own.body,
      fields(
        'member.id settings.language memberships[].workspaceId invitations[].id audit[].action exportedAt lastSeenAt news.comments notification.preferences.emailDigest',
      ),
    ),
    [],
  )
  assert.is(own.headers.get('content-disposition'), `attachment; filename="member-${accepted.memberId}.json"`)
  for (const [format, type] of [
    ['csv', 'text/csv; charset=utf-8'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ]) {
    const file = await ask('GET', `/export/members/workspace/${workspaceId}?format=${format}`)
    assert.equal([file.status, file.headers.get('content-type')], [200, type])
    assert.match(String(file.headers.get('content-disposition')), new RegExp(`^attachment; filename=.*\\.${format}"`))
  }
})

test.run()
