import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { callerFor, idsOf, twoHotels } from '../kit/platform/two-hotels.ts'
import { exampleWorld } from '../kit/requests/example-world.ts'
import { probe, short } from '../kit/requests/probing.ts'
import { recordFor, recordsOf } from '../kit/requests/records.ts'
import { as, type Endpoint, endpoints, planRequest } from '../kit/requests/requests.ts'
import { shapeOf } from './descriptors.ts'
import { documentedRoutes } from './documents.ts'
import { documentedShapes } from './shapes.ts'

const test = suite('contract: lists')
const platform = await sharedPlatform()
const { send, wrong } = probe(platform.urls)
const hotels = await twoHotels(platform)
const records = await recordsOf(exampleWorld(hotels))

const isList = ({ route }: Endpoint): boolean =>
  route.verb === 'GET' &&
  ['page', 'limit'].every(name => route.method.input.fields.some(field => field.name === name)) &&
  route.method.output.fields.some(field => field.name === 'meta')
const keyOf = (service: string, method: string, path: string): string => `${service} ${method} ${shapeOf(path)}`
const titleOf = ({ service, route }: Endpoint): string => keyOf(service, route.verb, route.path)
const original = new Set(documentedRoutes.map(({ service, method, path }) => keyOf(service, method, path)))
const withMeta = new Set(
  documentedShapes
    .filter(({ response }) => /\bmeta\b/.test(response))
    .map(({ service, route }) => keyOf(service, ...(route.split(' ') as [string, string]))),
)

test('a list comes in pages of 20 where its documented answer has a meta, and whole elsewhere', async () => {
  const lists = (await endpoints()).filter(one => isList(one) && original.has(titleOf(one)))
  assert.ok(lists.length > 20, `${lists.length}`)
  const problems = await wrong(lists, async endpoint => {
    const plan = planRequest(
      endpoint,
      field => idsOf(hotels.ownHotel, endpoint)(field) ?? recordFor(records, endpoint, field),
    )
    const answer = await send(endpoint, plan.path, as(callerFor(hotels, endpoint), plan))
    const { total, limit } = (answer.body?.['meta'] ?? {}) as { total?: number; limit?: number }
    const expected = withMeta.has(titleOf(endpoint)) ? 20 : Math.max(Number(total), 20)
    return answer.status === 200 && total !== 20 && limit === expected ? undefined : short(answer)
  })
  assert.equal(problems, [])
})

test.run()
