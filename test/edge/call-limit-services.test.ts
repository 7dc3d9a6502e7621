import { newWorld, signIn } from '../../cli/tour/world.ts'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { startPlatform } from '../kit/platform/platform.ts'
import { probe } from '../kit/requests/probing.ts'
import { as, endpoints, forUsers, plannedMessage, planRequest } from '../kit/requests/requests.ts'
import { rpcClient, rpcSurfaces } from '../kit/requests/surfaces.ts'

const test = suite('call limit per minute of each service')
const platform = await startPlatform('one', { RATE_LIMIT_PER_MINUTE: '5' })
test.after(() => platform.stop())

const world = newWorld({ ...platform, report: () => undefined })
const token = await signIn(world, platform.administrator.email, platform.administrator.password)
const all = await endpoints()
const { send } = probe(platform.urls)
const headers = { authorization: `Bearer ${token}` }

for (const service of serviceNames)
  test(`${service}: the sixth call of a person in a minute is a 429 on every surface`, async () => {
    const isList = ({ route, service: owner }: (typeof all)[number]) => owner === service && route.verb === 'GET'
    const endpoint = all.find(one => isList(one) && forUsers(one) && one.pathFields.length === 0)
    if (!endpoint) throw new Error('no such route')
    // The calls must fall into one minute of the clock.
    await eventually(() => Date.now() % 60_000 < 50_000, 15_000)
    const plan = planRequest(endpoint, () => undefined)
    const callRoute = async () => (await send(endpoint, plan.path, as(token, plan))).status
    for (let n = 0; n < 5; n++) assert.is.not(await callRoute(), 429)
    assert.is(await callRoute(), 429, 'REST')
    for (const surface of rpcSurfaces) {
      const message = plannedMessage(endpoint, () => undefined)
      const { status } = await rpcClient(platform, surface)(endpoint.route.method, message, headers)
      assert.is(status, 429, surface)
    }
  })

test('files have no limit by address, as their method declares', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 8; n++)
    statuses.push((await fetch(`${platform.urls.media}/media/files/${'a'.repeat(24)}`)).status)
  assert.equal(new Set(statuses), new Set([404]))
})

test.run()
