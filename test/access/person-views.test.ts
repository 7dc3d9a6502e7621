import type { DescMessage } from '@bufbuild/protobuf'
import { type Call, type LooseJson } from '../../cli/tour/client.ts'
import { expect } from '../../cli/tour/world.ts'
import { Caller, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { assert, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type House, type Houses, houses, type SharedPerson } from '../kit/platform/shared-person.ts'
import { type Endpoint, endpoints, isOf, planRequest } from '../kit/requests/requests.ts'

const test = suite('visibility of a person to each caller')
const platform = await sharedPlatform()
const reading = /^(Get|List|Read|Sync|Export)/

/** Whether a message contains a person's name; invitations are excluded, since they show what the sender typed. */
function showsPerson(desc: DescMessage, visitedTypes = new Set<string>()): boolean {
  if (visitedTypes.has(desc.typeName) || desc.name.endsWith('Invitation')) return false
  visitedTypes.add(desc.typeName)
  const names = new Set(desc.fields.map(field => field.name.replace('_', '')))
  if (names.has('firstname') && names.has('lastname')) return true
  return desc.fields.some(field => field.message !== undefined && showsPerson(field.message, visitedTypes))
}

/** Every reading route of the member service that returns people's names or files. */
const routes = (await endpoints()).filter(
  ({ service, route }) =>
    service === 'member' &&
    reading.test(route.method.name) &&
    (showsPerson(route.method.output) || /^(Export|GetMemberPermissions|GetMember[SP])/.test(route.method.name)),
)

type Viewer = { name: string; token?: string; key?: string }
/** Ids for the parameters of a route. */
type Place = { workspace: string; ecosystem: string; team: string; department: string }

let hotels: Houses
let home: House
let other: House
let asking: House
let nia: SharedPerson
let spa: string
let places: Place[]
let viewers: Record<'stranger' | 'colleague' | 'elsewhere' | 'admin' | 'asking' | 'platform' | 'service', Viewer>

const post = (token: string, path: string, body: object) =>
  expect(hotels.world, 201, 'member', 'POST', path, { token, body })

test.before(async () => {
  hotels = await houses(platform)
  home = await hotels.house('Le Phare', 'ada')
  other = await hotels.house('Autre', 'eve')
  asking = await hotels.house('Tiers', 'ivy')
  nia = await hotels.settle(home, 'nia', ['Nia', 'Verity'])
  spa = String((await post(home.token, '/workspaces/', { name: 'Spa Secret', ecosystemId: home.ecosystem }))['id'])
  await expect(hotels.world, 201, 'member', 'POST', `/workspaces/${spa}/add-member`, {
    token: home.token,
    body: { memberId: nia.id, workspaceRole: 'manager', permissions: ['view_reports'] },
  })
  const phone = '+33 6 00 99 88 77'
  await expect(hotels.world, 200, 'member', 'PATCH', `/members/update/${nia.id}`, { token: nia.token, body: { phone } })
  const accept = {
    email: nia.email,
    workspaceId: other.workspace,
    workspaceRole: 'manager',
    permissions: ['export_data'],
  }
  const invitation = await post(other.token, '/onboarding/invite', { ...accept, ecosystemId: other.ecosystem })
  await hotels.accept(nia, String(invitation['token']))
  const typed = { firstName: 'Typed', lastName: 'Name', email: nia.email }
  await post(asking.token, '/members/', { ...typed, workspaceId: asking.workspace })
  await expect(hotels.world, 200, 'member', 'PATCH', `/members/update/${nia.id}`, {
    token: other.token,
    body: { dashboardAccess: true },
  })
  const colleague = await hotels.settle(home, 'col', ['Cleo', 'Near'], home.workspace, 'manager')
  const outsider = await hotels.settle(other, 'els', ['Elsa', 'Far'], other.workspace, 'manager')
  const stranger = await hotels.settle(asking, 'str', ['Stan', 'Out'])
  const place = async ({ workspace, ecosystem, token }: House): Promise<Place> => {
    const team = await post(token, '/teams/', { workspaceId: workspace, name: `Team ${ecosystem}`, leaderId: nia.id })
    const department = await post(token, '/departments/', { workspaceId: workspace, name: 'Rooms', managerId: nia.id })
    return { workspace, ecosystem, team: String(team['id']), department: String(department['id']) }
  }
  const homePlace = await place(home)
  places = [homePlace, { ...homePlace, workspace: spa }, await place(other), await place(asking)]
  viewers = {
    stranger: { name: 'stranger', token: stranger.token },
    colleague: { name: 'colleague', token: colleague.token },
    elsewhere: { name: 'elsewhere', token: outsider.token },
    admin: { name: 'admin', token: home.token },
    asking: { name: 'asking', token: asking.token },
    platform: { name: 'platform', token: hotels.root },
    service: { name: 'service', key: hotels.apiKey },
  }
})
/** The answers of a route to a viewer about the person, for every place that it can be called with. */
async function answers(endpoint: Endpoint, viewer: Viewer): Promise<string[]> {
  const { route, access } = endpoint
  if (viewer.key && !access.callers.includes(Caller.SERVICE)) return []
  const texts: string[] = []
  for (const place of places) {
    const { path, body } = planRequest(endpoint, ({ name }) => {
      if (name === 'workspace_id' || (name === 'id' && isOf(endpoint, Scope.WORKSPACE))) return place.workspace
      if (name === 'ecosystem_id' || (name === 'id' && isOf(endpoint, Scope.ECOSYSTEM))) return place.ecosystem
      if (name === 'email') return nia.email
      if (name === 'member_id') return nia.id
      if (name === 'id' && route.path.startsWith('/teams')) return place.team
      if (name === 'id' && route.path.startsWith('/departments')) return place.department
      if (name === 'id') return nia.id
      return undefined
    })
    const answer = await raw(route.verb, path, { ...viewer, ...(body === undefined ? {} : { body }) })
    if (answer.status === 200) texts.push(answer.text)
    else assert.ok([401, 403, 404].includes(answer.status), `${viewer.name} ${endpoint.title}: ${answer.text}`)
  }
  return texts
}

async function raw(method: string, path: string, { token, key, body }: Call) {
  const headers = {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(key ? { 'x-api-key': key } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(hotels.world.urls.member + path, init)
  return { status: response.status, text: await response.text() }
}

/** The objects in an answer that are about the person. */
function about(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(about)
  if (typeof value !== 'object' || value === null) return []
  const one = value as Record<string, unknown>
  const isNia = one['id'] === nia.id || one['memberId'] === nia.id
  return [...(isNia ? [one] : []), ...Object.values(one).flatMap(about)]
}

const parseJson = (text: string): LooseJson => {
  try {
    return JSON.parse(text) as LooseJson
  } catch {
    return {} as LooseJson
  }
}

/** Texts that occur in exactly one place. */
const marks = () => ({
  home: [home.workspace, home.ecosystem, home.name],
  spa: [spa, 'Spa Secret'],
  other: [other.workspace, other.ecosystem, other.name],
  person: ['Nia', 'Verity', '99 88 77'],
})

/** Asserts that no answer of any route contains these texts. */
async function seesNothingOf(viewer: Viewer, hiddenTexts: string[]): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>()
  for (const endpoint of routes) {
    const texts = await answers(endpoint, viewer)
    all.set(endpoint.title, texts)
    for (const text of texts)
      for (const mark of hiddenTexts)
        assert.not.ok(text.includes(mark), `${viewer.name} ${endpoint.title} shows ${mark}: ${text}`)
  }
  return all
}

/** The number of objects about the person in the answers, and the values of one of their fields. */
function collectValues(all: Map<string, string[]>, field: string) {
  const people = [...all.values()].flat().flatMap(text => about(parseJson(text)))
  return { count: people.length, values: new Set(people.flatMap(one => (field in one ? [one[field]] : []))) }
}

test('the routes that show a person are found in the descriptors', () => {
  const paths = routes.map(one => one.route.path)
  for (const path of ['/members/get/{id}', '/members/get/all', '/members/get/with/{email}', '/teams/{id}/members'])
    assert.ok(paths.includes(path), path)
  assert.ok(routes.length >= 15, paths.join(' '))
})

test('a stranger sees nothing of them on any route', async () => {
  const { home, spa, other, person } = marks()
  const all = await seesNothingOf(viewers.stranger, [...home, ...spa, ...other, ...person])
  assert.is(
    collectValues(all, 'id').count > 0,
    true,
    'the stranger shares the workspace of a hotel that has asked them',
  )
})

test('a colleague sees the data in the shared workspace, with the values of that hotel', async () => {
  const { spa, other } = marks()
  const all = await seesNothingOf(viewers.colleague, [...spa, ...other])
  assert.equal([...collectValues(all, 'dashboardAccess').values], [false])
  assert.ok(collectValues(all, 'id').count >= 5)
})

test('a colleague of another hotel sees that hotel only, with its values', async () => {
  const { home, spa } = marks()
  const all = await seesNothingOf(viewers.elsewhere, [...home, ...spa])
  assert.equal([...collectValues(all, 'dashboardAccess').values], [true])
})

test('their own administrator sees all of their hotel and nothing of another', async () => {
  const all = await seesNothingOf(viewers.admin, marks().other)
  const text = [...all.values()].flat().join()
  for (const mark of [...marks().spa, ...marks().person]) assert.ok(text.includes(mark), mark)
  assert.equal([...collectValues(all, 'dashboardAccess').values], [false])
})

test('an inviting hotel sees only what it typed', async () => {
  const { home, spa, other, person } = marks()
  const all = await seesNothingOf(viewers.asking, [...home, ...spa, ...other, ...person])
  const { values, count } = collectValues(all, 'firstName')
  assert.equal([[...values], count > 5], [['Typed'], true])
})

test('the platform sees everything, and every route shows the person to at least one caller', async () => {
  const byRoute = new Map<string, number>()
  for (const viewer of [viewers.platform, viewers.admin, viewers.service])
    for (const endpoint of routes) {
      const texts = await answers(endpoint, viewer)
      const isShown = texts.some(text => text.includes(nia.id) || text.includes(nia.email))
      byRoute.set(endpoint.title, (byRoute.get(endpoint.title) ?? 0) + Number(isShown))
    }
  assert.equal(
    [...byRoute].filter(([, count]) => count === 0).map(([title]) => title),
    [],
  )
  const { body } = await hotels.member('GET', `/members/get/${nia.id}`, hotels.root)
  const text = JSON.stringify(body)
  for (const mark of [spa, home.workspace, other.workspace, 'Verity']) assert.ok(text.includes(mark), mark)
})

test.run()
