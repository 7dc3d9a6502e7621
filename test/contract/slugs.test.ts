import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../../cli/tour/client.ts'
import { Body } from '../../gen/platform/options/v1/options_pb.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { idsOf, type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { isRequired } from '../kit/requests/minimal-body.ts'
import { short } from '../kit/requests/probing.ts'
import { type Endpoint, endpoints, planRequest } from '../kit/requests/requests.ts'

/* Every record whose slug may be derived from its name, found in the descriptors. */
const test = suite('slugs of names in every script')
const platform = await sharedPlatform()
let hotels: TwoHotels

const creations = (await endpoints()).filter(({ route }) => {
  const slug = route.method.input.fields.find(({ name }) => name === 'slug')
  return (
    route.verb === 'POST' && route.restOptions.request !== Body.MULTIPART && slug !== undefined && !isRequired(slug)
  )
})

async function create(endpoint: Endpoint, body: object) {
  const plan = planRequest(endpoint, idsOf(hotels.ownHotel, endpoint), body as Record<string, unknown>)
  const options = { token: hotels.ownHotel.token, body: plan.body }
  const answer = await call(platform.urls, endpoint.service, endpoint.route.verb, plan.path, options)
  const record = Object.values(answer.body ?? {}).find(value => typeof value === 'object') ?? answer.body
  return { status: answer.status, slug: String((record as { slug?: unknown } | undefined)?.slug), shown: short(answer) }
}

test('categories and roles derive theirs', async () => {
  hotels = await twoHotels(platform)
  assert.equal(creations.map(({ route }) => route.method.name).sort(), ['CreateCategory', 'CreateRole'])
})

test('a name in any script gets a slug: folded, else of the kind and eight characters of the id', async () => {
  for (const endpoint of creations) {
    const kind = endpoint.route.method.name.replace('Create', '').toLowerCase()
    for (const name of ['客房', 'Горничная', 'قهوة', '🍽', 'मेनू', '룸서비스', '…'])
      assert.match((await create(endpoint, { name })).slug, new RegExp(`^${kind}-[0-9a-f]{8}$`), name)
    for (const [name, slug] of [
      ['Łódź Œuvre Æble', 'lodz-oeuvre-aeble'],
      ['Straße Þór Đuro Ħal Øl', 'strasse-thor-duro-hal-ol'],
      ['Bar 客房 №2', 'bar-no2'],
      ['x'.repeat(255), undefined],
    ] as const) {
      const creation = await create(endpoint, { name })
      assert.is(creation.status, 201, creation.shown)
      if (slug) assert.is(creation.slug, slug)
    }
  }
})

test('a taken derived slug is numbered, also for ten at once, and only a slug that was sent is a 409', async () => {
  for (const endpoint of creations) {
    const many = await Promise.all(Array.from({ length: 10 }, () => create(endpoint, { name: 'Réception' })))
    const numbered = ['reception', ...Array.from({ length: 9 }, (_, at) => `reception-${at + 2}`)]
    assert.equal(many.map(({ slug }) => slug).sort(), numbered.sort())
    assert.is((await create(endpoint, { name: 'Other', slug: 'reception-3' })).status, 409)
    assert.is((await create(endpoint, { name: 'Other', slug: 'reception-99' })).status, 201)
  }
})

test('the name of a system role gives another slug than its own', async () => {
  const endpoint = creations.find(({ route }) => route.method.name === 'CreateRole')
  assert.ok(endpoint)
  assert.is((await create(endpoint, { name: 'Admin' })).slug, 'admin-2')
  assert.is((await create(endpoint, { name: 'Boss', slug: 'admin' })).status, 409)
})

test.run()
