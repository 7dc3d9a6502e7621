import type { Request } from 'express'
import { sql } from 'kysely'
import { catalogue } from '../../gen/catalogue.ts'
import { UsageService } from '../../gen/platform/legacyauth/v1/usage_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { openDatabase } from '../../services/kernel/database/database.ts'
import { startTestEdge } from '../../test/kit/edge.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { routesOf } from '../rest/routes.ts'
import { countUsage } from './usage.ts'

const test = suite('calls of the legacy version')
const { host, urls, end } = await startTestEdge([auth])
test.after(() => end())

const key = { 'x-api-key': host.env['SERVICE_API_KEY'] ?? '' }

type Row = { route: string; client: string; calls: number; lastCalledAt: string }
async function usage(): Promise<Row[]> {
  // Two days, because a test may run across midnight.
  const answer = await fetch(`${urls.legacyauth}/user/legacyUsage?days=2`, {
    headers: { ...key, 'user-agent': 'Reader' },
  })
  return ((await answer.json()) as { data: Row[] }).data
}
const callsOf = async (client: string) =>
  Object.fromEntries((await usage()).filter(row => row.client === client).map(row => [row.route, row.calls]))

async function ask(method: string, path: string, headers: Record<string, string>, body?: string) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(urls.legacyauth + path, {
    method,
    headers: { ...json, ...headers },
    ...(body ? { body } : {}),
  })
  await answer.arrayBuffer()
  return answer.status
}

test('every call is counted by route and client, also one that is refused before the service', async () => {
  const headers = { 'user-agent': 'CountMe/2.0 (x)' }
  const login = '/auth/login/mobile'
  const statuses = [
    await ask('POST', login, headers, '{"email":"a@b.example","password":"x"}'),
    await ask('POST', login, headers, '{'),
    await ask('POST', login, headers, '{"email":7}'),
    await ask('GET', '/user/profile', headers),
    await ask('GET', '/user/profile', { ...headers, authorization: 'Bearer gone' }),
    await ask('DELETE', '/user/tokens/nobody', { ...headers, ...key }),
  ]
  assert.equal(statuses, [401, 400, 400, 401, 401, 400])
  const expectedCalls = { 'POST /auth/login/:type': 3, 'GET /user/profile': 2, 'DELETE /user/tokens/:userId': 1 }
  await eventually(async () => Object.keys(await callsOf('CountMe')).length === 3)
  assert.equal(await callsOf('CountMe'), expectedCalls)
})

test('a web page is counted by its origin, a nameless program as unknown, and reading the counts is not counted', async () => {
  const browser = { 'user-agent': 'Mozilla/5.0 (X11)', origin: 'https://dashboard.hotel.example' }
  await ask('GET', '/user/profile', browser)
  await ask('GET', '/user/profile', { 'user-agent': '(nameless)' })
  await eventually(async () => (await callsOf('dashboard.hotel.example'))['GET /user/profile'])
  await eventually(async () => (await callsOf('unknown'))['GET /user/profile'])
  assert.equal(await callsOf('Reader'), {})
})

const fetchAnswer = async (url: string, init: RequestInit = {}) => {
  const answer = await fetch(url, init)
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

test('an unexpected error and an unavailable neighbour use the dialect, without internals', async () => {
  const db = openDatabase<unknown>(host.databaseUrl('auth'))
  await sql`rename table route_usage to gone`.execute(db)
  const failure = await fetchAnswer(`${urls.legacyauth}/user/legacyUsage`, { headers: key })
  await sql`rename table gone to route_usage`.execute(db)
  await db.destroy()
  assert.equal([failure.status, failure.body], [500, { msg: 'NO_MSG', success: false }])
  assert.ok(failure.headers.get('x-request-id'))

  const account = JSON.stringify({ email: 'ada@hotel.example', password: 'correct horse 7' })
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: account }
  assert.is((await fetchAnswer(`${urls.auth}/auth/register`, json)).status, 201)
  // The member service, which identifies her, doesn't run here.
  const outage = await fetchAnswer(`${urls.legacyauth}/auth/login/mobile`, json)
  assert.equal([outage.status, outage.body], [503, { msg: 'NO_MSG', success: false }])
  assert.ok(Number(outage.headers.get('retry-after')) > 0)
})

test('counts whose report got no answer are sent again and added once', async () => {
  const service = host.client(UsageService)
  const batchIds: (string | undefined)[] = []
  const losesFirstAnswer = {
    async recordUsage(...[request, options]: Parameters<typeof service.recordUsage>) {
      const answer = await service.recordUsage(request, options)
      batchIds.push(request.batchId)
      if (batchIds.length === 1) throw new Error('the answer was lost')
      return answer
    },
  }
  const count = countUsage(losesFirstAnswer, host.log)
  const [route] = catalogue.legacyauth.flatMap(routesOf).filter(({ path }) => path === '/user/profile')
  assert.ok(route)
  const headers = { 'user-agent': 'LostAnswer' }
  count.count(route, { headers } as Request)
  await eventually(() => batchIds.length >= 1)
  count.count(route, { headers } as Request)
  await eventually(() => batchIds.length >= 2)
  await count.stop()
  assert.equal([batchIds.length, batchIds[0] === batchIds[1]], [3, true])
  assert.equal(await callsOf('LostAnswer'), { 'GET /user/profile': 2 })
})

test('modern routes are not counted', async () => {
  const answer = await fetch(`${urls.auth}/users/me`, { headers: { 'user-agent': 'Modern' } })
  await answer.arrayBuffer()
  await ask('GET', '/user/profile', { 'user-agent': 'AfterModern' })
  await eventually(async () => (await callsOf('AfterModern'))['GET /user/profile'])
  assert.equal(await callsOf('Modern'), {})
})

test.run()
