import { create } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../../cli/tour/client.ts'
import { addressOf, expect } from '../../cli/tour/world.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { twoHotels } from '../kit/platform/two-hotels.ts'
import { minimalJson } from '../kit/requests/minimal-body.ts'
import { messageOf, probe, short } from '../kit/requests/probing.ts'
import { type Endpoint, endpoints, forUsers } from '../kit/requests/requests.ts'
import { rpcClient, rpcSurfaces } from '../kit/requests/surfaces.ts'

/* What people without a membership see, on every list that names no tenant in path or query [R78]. */
const test = suite('people without a membership')
const platform = await sharedPlatform()
const { send, wrong, faults } = probe(platform.urls)
const hotels = await twoHotels(platform)
const { world, ownHotel } = hotels

const fieldOf = ({ route }: Endpoint, name: string) => route.method.input.fields.find(field => field.name === name)
const tenantFieldOf = (endpoint: Endpoint) => fieldOf(endpoint, 'workspace_id') ?? fieldOf(endpoint, 'ecosystem_id')

/** Lists for people, without a parameter in the path and without a required one. */
const lists = (await endpoints()).filter(
  one =>
    forUsers(one) &&
    one.route.verb === 'GET' &&
    one.pathFields.length === 0 &&
    one.route.method.output.fields.some(field => field.name === 'data' && field.fieldKind === 'list') &&
    Object.keys(minimalJson(one.route.method.input)).length === 0,
)
const pathOf = ({ route }: Endpoint) => `/${route.segments.join('/')}`

/** Lists whose entries belong to no tenant, which everybody with an account sees. */
const open = ['hotel GET /type/get/all', 'member GET /permissions/all', 'payment GET /sub/plans']
/** Lists of the account itself. */
const accountLists = ['auth GET /users/me/sessions']

const register = async (name: string): Promise<string> => {
  const body = { email: addressOf(world, name), password: 'correct horse 7' }
  return String((await expect(world, 201, 'auth', 'POST', '/auth/register', { body }))['accessToken'])
}

/** An account that no hotel knows, and a member who has left the only hotel. */
const callers: Record<string, string> = { account: await register('nobody'), former: await register('former') }
const invitation = { email: addressOf(world, 'former'), workspaceId: ownHotel.workspace, workspaceRole: 'viewer' }
const { token } = await expect(world, 201, 'member', 'POST', '/onboarding/invite', {
  token: ownHotel.token,
  body: invitation,
})
const former = { token: callers['former'], body: {} }
await expect(world, 200, 'member', 'POST', `/onboarding/accept/${String(token)}`, former)
await expect(world, 200, 'member', 'POST', `/workspaces/${ownHotel.workspace}/leave`, former)

/** What is wrong with the answer to somebody who sees nothing of a hotel. */
function fault(title: string, body: { data?: unknown[]; meta?: Record<string, unknown> } | undefined) {
  const { data = [], meta } = body ?? {}
  if (data.length > 0 && !open.includes(title) && !accountLists.includes(title)) return `${data.length} entries`
  if (open.includes(title) && data.length === 0) return 'no entries'
  return meta?.['page'] === 1 && Number(meta['limit']) > 0 ? undefined : JSON.stringify(meta)
}

for (const [name, bearer] of Object.entries(callers)) {
  test(`REST: every list without a tenant answers 200 (${name})`, async () => {
    assert.ok(lists.length > 16, `${lists.length}`)
    const problems = await wrong(lists, async endpoint => {
      const answer = await send(endpoint, pathOf(endpoint), { token: bearer })
      return answer.status === 200 ? fault(endpoint.title, answer.body as never) : short(answer)
    })
    assert.equal([...problems, ...faults()], [])
  })

  for (const surface of rpcSurfaces)
    test(`${surface}: every list without a tenant answers (${name})`, async () => {
      const ask = rpcClient(platform, surface)
      const problems = await wrong(lists, async ({ route: { method } }) => {
        const { status, text } = await ask(method, create(method.input), { authorization: `Bearer ${bearer}` })
        return status === 200 ? undefined : `${status} ${text}`
      })
      assert.equal(problems, [])
    })

  test(`a hotel that is named stays closed (${name})`, async () => {
    const routes = lists.filter(tenantFieldOf)
    assert.ok(routes.length > 6, `${routes.length}`)
    const problems = await wrong(routes, async endpoint => {
      const field = tenantFieldOf(endpoint)
      const id = field?.name === 'workspace_id' ? ownHotel.workspace : ownHotel.ecosystem
      const answer = await send(endpoint, `${pathOf(endpoint)}?${field?.jsonName}=${id}`, { token: bearer })
      return answer.status === 403 && messageOf(answer).endsWith('access denied') ? undefined : short(answer)
    })
    assert.equal(problems, [])
  })
}

test('a list keeps the requested page and still refuses a wrong one', async () => {
  const ask = (query: string) =>
    call(platform.urls, 'member', 'GET', `/members/get/all${query}`, { token: callers['account'] })
  assert.equal((await ask('?page=3&limit=7')).body?.['meta'], { total: 0, page: 3, limit: 7, totalPages: 0 })
  assert.is((await ask('?limit=0')).status, 400)
})

test.run()
