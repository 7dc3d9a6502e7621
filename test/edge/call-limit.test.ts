import { TeamService } from '../../gen/platform/member/v1/teams_pb.ts'
import { service as hotel } from '../../services/hotel/service.ts'
import { callLimit } from '../../services/kernel/rpc/limits/call-limit.ts'
import { service as member } from '../../services/member/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { openWorld } from '../kit/member.ts'

const test = suite('call limit per minute')
const { host, urls, end } = await startTestEdge([member, hotel], { RATE_LIMIT_PER_MINUTE: '5' })
test.after(end)

const { admin, workspaceId } = await openWorld(host)

/** Waits until six calls fit into the current minute of the clock, so that the count doesn't restart in between. */
async function earlyInTheMinute(): Promise<void> {
  await eventually(() => Date.now() % 60_000 < 50_000, 15_000)
}

const byRoute = (headers: Record<string, string>) => fetch(`${urls.member}/teams/workspace/${workspaceId}`, { headers })
const byRpc = (headers: Record<string, string>) =>
  fetch(`${urls.member}/rpc/${TeamService.typeName}/ListTeams`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ workspaceId }),
  })

test('a person sees the remaining calls, and gets 429 with Retry-After after the last, on every surface', async () => {
  await earlyInTheMinute()
  const headers = { authorization: `Bearer ${host.tokenOf(admin.userId)}` }
  for (const remainingCalls of [4, 3, 2, 1, 0]) {
    const answer = await (remainingCalls % 2 === 0 ? byRoute : byRpc)(headers)
    assert.is(answer.status, 200)
    assert.is(answer.headers.get('ratelimit-policy'), '"calls";q=5;w=60')
    assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"calls";r=${remainingCalls};t=\\d+$`))
  }
  for (const call of [byRoute, byRpc]) {
    const refusal = await call(headers)
    const body = await refusal.text()
    assert.equal([refusal.status, /"TooManyRequestsError"/.test(body)], [429, true], body)
    assert.match(refusal.headers.get('ratelimit') ?? '', /^"calls";r=0;t=\d+$/)
    const retry = Number(refusal.headers.get('retry-after'))
    assert.ok(retry >= 1 && retry <= 60, `${call.name}: ${retry}`)
  }
})

test('failing calls count too, and each service, person and address has a separate count', async () => {
  await earlyInTheMinute()
  const headers = { authorization: `Bearer ${host.tokenOf('b'.repeat(24))}` }
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await byRoute(headers)).status)
  assert.equal(statuses, [403, 403, 403, 403, 403, 429])
  const other = await fetch(`${urls.hotel}/hotel/get/all`, { headers })
  assert.is.not(other.status, 429)
})

test('a service key is not counted', async () => {
  for (let n = 0; n < 8; n++) {
    const answer = await byRoute({ 'x-api-key': String(host.env['SERVICE_API_KEY']) })
    assert.is.not(answer.status, 429)
    assert.is(answer.headers.get('ratelimit'), null)
  }
})

test('two processes of a service count together, within a second', async () => {
  await earlyInTheMinute()
  const time = Date.now()
  const limitOf = () => callLimit({ service: 'member', perMinute: 20, bus: host.bus, now: () => time })
  const [one, other] = [limitOf(), limitOf()]
  const client = new Map([['x-client-ip', '192.0.2.1']])
  const method = TeamService.method.listTeams
  const call = { stream: false, method, header: client, contextValues: { get: () => ({ kind: 'anonymous' }) } }
  const through = async ({ interceptor }: typeof one): Promise<boolean> => {
    try {
      await interceptor((async () => ({ header: new Headers() })) as never)(call as never)
      return true
    } catch {
      return false
    }
  }
  try {
    for (let n = 0; n < 15; n++) assert.ok(await through(one))
    for (let n = 0; n < 3; n++) assert.ok(await through(other))
    await new Promise(resolve => setTimeout(resolve, 2_500))
    const admitted: boolean[] = []
    for (let n = 0; n < 4; n++) admitted.push(await through(other))
    assert.equal(admitted, [true, true, false, false])
  } finally {
    one.stop()
    other.stop()
  }
})

test.run()
